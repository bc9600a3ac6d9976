// Prints the definitions of a Go module and who names them, as the type checker of the standard library
// resolves them. Packages of other modules are taken as empty: what they declare is not measured.
package main

import (
	"encoding/json"
	"fmt"
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

type definition struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	Line int    `json:"line"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type reference struct {
	Path   string  `json:"path"`
	Line   int     `json:"line"`
	Within *string `json:"within"`
	To     string  `json:"to"`
}

type project struct {
	root     string
	module   string
	files    *token.FileSet
	standard types.Importer
	packages map[string]*types.Package
	found    []definition
	refs     []reference
	seen     map[string]bool
}

// Import gives packages of this module from their sources, those of the standard library likewise, and
// empty ones for all others.
func (p *project) Import(path string) (*types.Package, error) {
	if known, ok := p.packages[path]; ok {
		return known, nil
	}
	if path == p.module || strings.HasPrefix(path, p.module+"/") {
		folder := filepath.Join(p.root, strings.TrimPrefix(path, p.module))
		result := p.check(path, folder, false)
		p.packages[path] = result
		return result, nil
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		if result, err := p.standard.Import(path); err == nil {
			p.packages[path] = result
			return result, nil
		}
	}
	name := path[strings.LastIndex(path, "/")+1:]
	empty := types.NewPackage(path, name)
	empty.MarkComplete()
	p.packages[path] = empty
	return empty, nil
}

func (p *project) check(path, folder string, withTests bool) *types.Package {
	entries, _ := os.ReadDir(folder)
	inside, outside := []*ast.File{}, []*ast.File{}
	name := ""
	for _, entry := range entries {
		file := entry.Name()
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") && !withTests {
			continue
		}
		if ok, err := build.Default.MatchFile(folder, file); err != nil || !ok {
			continue
		}
		tree, err := parser.ParseFile(p.files, filepath.Join(folder, file), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		if strings.HasSuffix(tree.Name.Name, "_test") && strings.HasSuffix(file, "_test.go") {
			outside = append(outside, tree)
			continue
		}
		name = tree.Name.Name
		inside = append(inside, tree)
	}
	_ = name
	result := p.checkFiles(path, inside, withTests)
	if withTests && len(outside) > 0 {
		p.checkFiles(path+"_test", outside, true)
	}
	return result
}

func (p *project) checkFiles(path string, trees []*ast.File, keep bool) *types.Package {
	info := &types.Info{
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: p, Error: func(error) {}, FakeImportC: true}
	result, _ := config.Check(path, p.files, trees, info)
	if keep {
		for _, tree := range trees {
			p.collect(tree, info)
		}
	}
	return result
}

func (p *project) collect(tree *ast.File, info *types.Info) {
	for _, decl := range tree.Decls {
		for _, part := range split(decl) {
			var within *string
			for _, ident := range part.names {
				if object := info.Defs[ident]; object != nil {
					id := p.define(object)
					if within == nil && id != "" {
						within = &id
					}
				}
			}
			ast.Inspect(part.node, func(node ast.Node) bool {
				ident, ok := node.(*ast.Ident)
				if !ok {
					return true
				}
				if object := info.Defs[ident]; object != nil {
					if field, ok := object.(*types.Var); ok && field.IsField() {
						p.define(object)
					}
				}
				if object := info.Uses[ident]; object != nil {
					if id := p.toID(object); id != "" {
						place := p.files.Position(ident.Pos())
						p.refs = append(p.refs, reference{p.relative(place.Filename), place.Line, within, id})
					}
				}
				return true
			})
		}
	}
}

type part struct {
	names []*ast.Ident
	node  ast.Node
}

func split(decl ast.Decl) []part {
	switch own := decl.(type) {
	case *ast.FuncDecl:
		return []part{{[]*ast.Ident{own.Name}, own}}
	case *ast.GenDecl:
		parts := []part{}
		for _, spec := range own.Specs {
			switch one := spec.(type) {
			case *ast.TypeSpec:
				parts = append(parts, part{[]*ast.Ident{one.Name}, one})
				if face, ok := one.Type.(*ast.InterfaceType); ok {
					for _, method := range face.Methods.List {
						for _, name := range method.Names {
							parts = append(parts, part{[]*ast.Ident{name}, name})
						}
					}
				}
			case *ast.ValueSpec:
				parts = append(parts, part{one.Names, one})
			}
		}
		return parts
	}
	return nil
}

func (p *project) relative(path string) string {
	result, _ := filepath.Rel(p.root, path)
	return filepath.ToSlash(result)
}

func (p *project) toID(object types.Object) string {
	place := p.files.Position(object.Pos())
	if !strings.HasPrefix(place.Filename, p.root+string(filepath.Separator)) || object.Name() == "_" {
		return ""
	}
	switch own := object.(type) {
	case *types.Var:
		if !own.IsField() && own.Parent() != own.Pkg().Scope() {
			return ""
		}
	case *types.PkgName, *types.Label:
		return ""
	case *types.TypeName:
		if _, ok := own.Type().(*types.TypeParam); ok || own.Parent() != own.Pkg().Scope() {
			return ""
		}
	case *types.Const:
		if own.Parent() != own.Pkg().Scope() {
			return ""
		}
	}
	return fmt.Sprintf("%s:%d#%s", p.relative(place.Filename), place.Line, object.Name())
}

func (p *project) define(object types.Object) string {
	id := p.toID(object)
	if id == "" || p.seen[id] {
		return id
	}
	p.seen[id] = true
	kind := "variable"
	switch own := object.(type) {
	case *types.Func:
		kind = "function"
		if own.Type().(*types.Signature).Recv() != nil {
			kind = "method"
		}
	case *types.TypeName:
		kind = "type"
	case *types.Const:
		kind = "constant"
	case *types.Var:
		if own.IsField() {
			kind = "field"
		}
	}
	place := p.files.Position(object.Pos())
	p.found = append(p.found, definition{id, p.relative(place.Filename), place.Line, object.Name(), kind})
	return id
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	files := token.NewFileSet()
	p := &project{
		root: root, files: files, standard: importer.ForCompiler(files, "source", nil),
		packages: map[string]*types.Package{}, seen: map[string]bool{},
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
		matches, _ := filepath.Glob(filepath.Join(path, "*.go"))
		if len(matches) > 0 {
			name := p.module
			if rest := p.relative(path); rest != "." {
				name += "/" + rest
			}
			p.check(name, path, true)
		}
		return nil
	})
	json.NewEncoder(os.Stdout).Encode(map[string]any{"definitions": p.found, "references": p.refs})
}
