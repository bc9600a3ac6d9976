// Prints the calls of a Go module, without those of tests, as the type checker of the standard library
// resolves them. Packages of other modules are taken as empty: what is called of them is outside.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

type place struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

type site struct {
	place
	Column  int     `json:"column"`
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Targets []place `json:"targets"`
}

type project struct {
	root, module string
	positions    *token.FileSet
	standard     types.Importer
	packages     map[string]*types.Package
	files        []string
	sites        []site
}

// Import gives packages of this module and of the standard library from their sources, and empty ones for all others.
func (p *project) Import(path string) (*types.Package, error) {
	if known, ok := p.packages[path]; ok {
		return known, nil
	}
	if path == p.module || strings.HasPrefix(path, p.module+"/") {
		return p.check(path, filepath.Join(p.root, strings.TrimPrefix(path, p.module))), nil
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		if result, err := p.standard.Import(path); err == nil {
			p.packages[path] = result
			return result, nil
		}
	}
	empty := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	empty.MarkComplete()
	p.packages[path] = empty
	return empty, nil
}

func (p *project) check(path, folder string) *types.Package {
	if known, ok := p.packages[path]; ok {
		return known
	}
	entries, _ := os.ReadDir(folder)
	trees := []*ast.File{}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := build.Default.MatchFile(folder, name); err != nil || !ok {
			continue
		}
		tree, err := parser.ParseFile(p.positions, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err == nil {
			trees = append(trees, tree)
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: p, Error: func(error) {}, FakeImportC: true}
	result, _ := config.Check(path, p.positions, trees, info)
	p.packages[path] = result
	for _, tree := range trees {
		p.files = append(p.files, p.toPlace(tree.Package).Path)
		ast.Inspect(tree, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok {
				p.add(call, info)
			}
			return true
		})
	}
	return result
}

func (p *project) toPlace(at token.Pos) place {
	position := p.positions.Position(at)
	path, _ := filepath.Rel(p.root, position.Filename)
	return place{filepath.ToSlash(path), position.Line}
}

func (p *project) add(call *ast.CallExpr, info *types.Info) {
	callee := ast.Unparen(call.Fun)
	switch own := callee.(type) {
	case *ast.IndexExpr:
		callee = own.X
	case *ast.IndexListExpr:
		callee = own.X
	}
	var name *ast.Ident
	switch own := callee.(type) {
	case *ast.Ident:
		name = own
	case *ast.SelectorExpr:
		name = own.Sel
	default:
		return
	}
	kind, targets := "unknown", []place{}
	object := info.Uses[name]
	if info.Types[callee].IsType() {
		kind = "none"
	} else if object != nil {
		kind, targets = p.judge(object)
	}
	column := p.positions.Position(name.Pos()).Column
	p.sites = append(p.sites, site{p.toPlace(name.Pos()), column, name.Name, kind, targets})
}

func (p *project) judge(object types.Object) (string, []place) {
	at := p.toPlace(object.Pos())
	isOwn := object.Pos().IsValid() && !strings.HasPrefix(at.Path, "..")
	switch own := object.(type) {
	case *types.Func:
		if !isOwn {
			return "outside", []place{}
		}
		receiver := own.Type().(*types.Signature).Recv()
		if receiver != nil && types.IsInterface(receiver.Type()) {
			return "declared", []place{at}
		}
		return "body", []place{at}
	case *types.Var:
		if !own.IsField() && (own.Pkg() == nil || own.Parent() != own.Pkg().Scope()) {
			return "value", []place{}
		}
		if isOwn {
			return "declared", []place{at}
		}
	}
	return "outside", []place{}
}

func main() {
	root, _ := filepath.EvalSymlinks(os.Args[1])
	positions := token.NewFileSet()
	p := &project{
		root: root, positions: positions, standard: importer.ForCompiler(positions, "source", nil),
		packages: map[string]*types.Package{},
	}
	manifest, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	for _, line := range strings.Split(string(manifest), "\n") {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			p.module = strings.TrimSpace(name)
		}
	}
	filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		if path != root && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		if matches, _ := filepath.Glob(filepath.Join(path, "*.go")); len(matches) > 0 {
			rest, _ := filepath.Rel(root, path)
			p.check(strings.TrimSuffix(p.module+"/"+filepath.ToSlash(rest), "/."), path)
		}
		return nil
	})
	json.NewEncoder(os.Stdout).Encode(map[string]any{"files": p.files, "sites": p.sites})
}
