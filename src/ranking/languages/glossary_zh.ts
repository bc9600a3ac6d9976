/**
 * Chinese words of programming with the English ones that code uses for them: a table of our own, of general words of
 * the trade, in simplified characters; words that are said otherwise in Taiwan stand beside, and traditional characters are
 * read as simplified ones. Its form is that of the Japanese table. Pure.
 */
import type { Glossary } from "./glossary.ts";
import { parseGlossary } from "./glossary.ts";

const ENTRIES = `
路由 route routing router;路由器 router;中间件 middleware;中介软体 middleware;令牌 token;权杖 token;词元 token;标记 token mark tag;会话 session;
请求 request;响应 response;回应 response;应答 reply response;服务器 server;伺服器 server;服务端 server;客户端 client;用户端 client;用户 user;使用者 user;
服务 service;接口 interface api;介面 interface;端点 endpoint;网关 gateway;代理 proxy agent;主机 host;主机名 hostname host;端口 port;连接埠 port;套接字 socket;
网络 network;网路 network;协议 protocol;协定 protocol;连接 connection connect;连线 connection;断开 disconnect close;重连 reconnect;超时 timeout;逾时 timeout;
重试 retry;重定向 redirect;跳转 redirect jump;转发 forward;拦截 intercept;拦截器 interceptor;过滤 filter;过滤器 filter;筛选 filter;处理器 handler processor;
处理程序 handler;处理函数 handler;处理 handle process;控制器 controller;控制 control;视图 view;检视 view;模型 model;模板 template;范本 template;模版 template;
渲染 render;布局 layout;版面 layout;组件 component;元件 component;部件 widget component;属性 property attribute;特性 feature trait attribute;事件 event;监听 listen listener;
监听器 listener;回调 callback;回呼 callback;钩子 hook;插件 plugin;外挂 plugin;扩展 extension extend;模块 module;模组 module;包 package;套件 package;库 library;框架 framework;
应用 application app apply;应用程序 application app;程序 program;程式 program;应用程式 application;进程 process;线程 thread;执行绪 thread;协程 coroutine;任务 task job;作业 job;
工作 work worker;工作线程 worker;调度 schedule dispatch;调度器 scheduler dispatcher;分发 dispatch;派发 dispatch;定时器 timer;计时器 timer;定时 schedule timer;队列 queue;伫列 queue;
栈 stack;堆栈 stack;堆 heap;缓冲 buffer;缓冲区 buffer;缓存 cache;快取 cache;池 pool;连接池 connection pool;线程池 thread pool;流 stream;流式 stream streaming;串流 stream;管道 pipe pipeline channel;
流水线 pipeline;通道 channel;频道 channel;信号 signal;信号量 semaphore;锁 lock;互斥 mutex;互斥锁 mutex lock;死锁 deadlock;并发 concurrent concurrency;并行 parallel;异步 async;非同步 async;同步 sync synchronize;
阻塞 block blocking;等待 wait await;承诺 promise;迭代 iterate iteration;迭代器 iterator;遍历 traverse iterate walk;循环 loop cycle;回圈 loop;递归 recursive recursion;生成器 generator;
函数 function;函式 function;方法 method;构造函数 constructor;建构子 constructor;析构 destructor;参数 parameter argument;引数 argument;实参 argument;返回 return;回传 return;返回值 return value;
变量 variable;变数 variable;环境变量 environment env variable;常量 constant;常数 constant;值 value;键 key;键值 key value;键值对 key value pair entry;对 pair;对象 object;物件 object;实例 instance;
类 class;类别 class category;子类 subclass;父类 parent superclass;基类 base class;抽象 abstract;抽象类 abstract class;继承 inherit inheritance;派生 derive derived;实现 implement implementation;实作 implementation;
结构 structure;结构体 struct;枚举 enum;列举 enum;联合 union;元组 tuple;数组 array;阵列 array;列表 list;清单 list;链表 linked list;集合 set collection;映射 map mapping;字典 dictionary dict;哈希 hash;散列 hash;
哈希表 hash map;树 tree;节点 node;图 graph;边 edge;叶子 leaf;根 root;索引 index;指针 pointer;引用 reference;参考 reference;循环引用 circular reference;泛型 generic;类型 type;型别 type;类型转换 cast convert;
类型推断 infer type;布尔 boolean bool;整数 integer int;浮点 float;浮点数 float;数字 number digit;数值 number numeric;字符串 string;字串 string;字符 character char;字元 character;字节 byte;位元组 byte;比特 bit;
二进制 binary;十六进制 hex;编码 encode encoding;解码 decode;编解码 codec;加密 encrypt;解密 decrypt;签名 sign signature;证书 certificate;凭证 credential;密钥 key secret;密码 password;口令 password;
认证 auth authentication;身份验证 authentication auth;鉴权 auth;授权 authorization authorize;权限 permission;角色 role;登录 login;登入 login;登出 logout;注销 logout unregister;注册 register registration;
账户 account;帐户 account;验证 validate validation verify;校验 validate check verify;验证器 validator;检查 check;校验和 checksum;安全 security safe secure;跨域 cors origin;沙箱 sandbox;
配置 config configuration;设置 set setting config;设定 setting config;选项 option;默认 default;预设 default;默认值 default;初始化 initialize init;启动 start launch boot;停止 stop;关闭 close shutdown;打开 open;
重启 restart;重新加载 reload;加载 load;载入 load;加载器 loader;卸载 unload uninstall;安装 install;部署 deploy;发布 publish release;订阅 subscribe subscription;广播 broadcast;推送 push;拉取 pull fetch;
消息 message;讯息 message;通知 notify notification;主题 topic theme subject;房间 room;在线 online presence;在线状态 presence;心跳 heartbeat;状态 state status;状态码 status code;状态机 state machine;
跟踪 track trace;追踪 trace track;差异 diff difference;比较 compare;匹配 match;相等 equal;合并 merge;拆分 split;分割 split;连接符 join;拼接 concat join;排序 sort order;排序器 sorter;搜索 search;搜寻 search;查找 find lookup;
查询 query;检索 search retrieve;替换 replace;插入 insert;删除 delete remove;移除 remove;更新 update;修改 modify change;变更 change;添加 add;新增 add;创建 create;建立 create build;构建 build;生成 generate create;
构建器 builder;建造者 builder;工厂 factory;单例 singleton;装饰器 decorator;适配器 adapter;观察者 observer;访问者 visitor;访问器 accessor visitor;策略 strategy policy;包装 wrap wrapper;包装器 wrapper;代码 code;源码 source;
读取 read;读取器 reader;阅读器 reader;读 read;写 write;写入 write;写入器 writer;保存 save store;存储 store storage;储存 store save;持久化 persist;恢复 restore recover;回滚 rollback;提交 commit submit;事务 transaction;
数据库 database db;资料库 database db;数据 data;资料 data;表 table;表格 table;行 line row;列 column;字段 field;栏位 field;记录 record log;主键 primary key;外键 foreign key;迁移 migration migrate;模式 pattern schema mode;架构 schema architecture;
约束 constraint;关联 association relation;游标 cursor;光标 cursor;分页 pagination page paginate;批量 batch bulk;快照 snapshot;备份 backup;
文件 file;档案 file;文件夹 folder directory;文件系统 filesystem;目录 directory;路径 path;片段 fragment segment snippet;段 segment;后缀 suffix;前缀 prefix;扩展名 extension;上传 upload;下载 download;压缩 compress;解压 decompress;
日志 log logger logging;日志记录 logging log;日志器 logger;记录器 logger recorder;级别 level;等级 level;层级 level hierarchy;轮转 rotate rotation;滚动 scroll roll;格式 format;格式化 format formatter;格式化器 formatter;说明符 specifier;
错误 error;异常 exception;例外 exception;崩溃 crash panic;失败 fail failure;成功 success;警告 warning warn;抛出 throw raise;捕获 catch capture;恐慌 panic;调试 debug;除错 debug;断言 assert assertion;
测试 test;单元测试 unit test;模拟 mock simulate;桩 stub;基准 benchmark base;覆盖率 coverage;覆盖 override cover;重载 overload;
解析 parse parser resolve;解析器 parser resolver;剖析 parse profile;语法 syntax grammar;语法树 ast syntax tree;词法 lexer;分词 tokenize;分词器 tokenizer;编译 compile;编译器 compiler;编译时 compile time;运行时 runtime;运行 run;执行 execute run;
解释器 interpreter;链接 link;宏 macro;注解 annotation;注释 comment;元数据 metadata;反射 reflection;闭包 closure;作用域 scope;命名空间 namespace;表达式 expression;正则 regex;正则表达式 regex;语句 statement;运算符 operator;操作 operation action;
动作 action;操作符 operator;序列化 serialize serialization;反序列化 deserialize deserialization;序列 sequence;转换 convert transform;转换器 converter transformer;转义 escape;规范化 normalize;标准化 normalize;清理 clean cleanup sanitize;
排除 exclude;包含 include contain;忽略 ignore;跳过 skip;限制 limit restrict;限流 throttle rate limit;范围 range scope;长度 length;大小 size;宽度 width;高度 height;深度 depth;精度 precision;填充 fill padding;对齐 align alignment;最大 max;最小 min;
位置 position location;定位 position locate;偏移 offset;坐标 coordinate;颜色 color;样式 style;主题样式 theme;字体 font;图标 icon;图像 image;图片 image;窗口 window;视窗 window;浮动 float floating;弹窗 popup dialog;对话框 dialog;按钮 button;菜单 menu;
选择 select choose;选择器 selector picker;选中 selected selection;高亮 highlight;预览 preview;显示 display show;隐藏 hide;输入 input;输出 output;打印 print;终端 terminal;控制台 console;命令 command;命令行 command line cli;
提示 prompt hint;快捷键 shortcut keymap;编辑器 editor;页面 page;网页 web page;浏览器 browser;表单 form;静态 static;动态 dynamic;静态文件 static file;资源 resource asset;头 header head;请求头 request header;响应头 response header;标头 header;
正文 body;请求体 request body;内容 content;内容类型 content type;内容协商 content negotiation;媒体 media;邮件 mail email;电子邮件 email;地址 address;域名 domain;网址 url;链路 link;
时间 time;日期 date;时间戳 timestamp;时区 timezone;时长 duration;间隔 interval;过期 expire expired;有效期 expiry;延迟 delay lazy latency;惰性 lazy;立即 immediate;
权重 weight;分数 score;评分 score rating;排名 rank;统计 statistics count;计数 count;计数器 counter;指标 metric;监控 monitor;健康检查 health check;性能 performance;优化 optimize;内存 memory;记忆体 memory;分配 allocate allocation;
分配器 allocator;释放 release free;垃圾回收 garbage collection gc;泄漏 leak;订单 order;支付 payment;付款 payment;价格 price;购物车 cart;商品 product;库存 stock inventory;发票 invoice;客户 customer client;通用 generic common;
分组 group;组 group;分类 category classify;标签 label tag;名称 name;名字 name;命名 name naming;命名参数 named argument;别名 alias;标识符 identifier id;编号 number id;版本 version;升级 upgrade;兼容 compatible compat;弃用 deprecated;
工具 tool util;辅助 helper;辅助函数 helper;依赖 dependency;依赖注入 dependency injection;注入 inject injection;绑定 bind binding;挂载 mount;附加 append attach;前端 frontend;后端 backend;引擎 engine;驱动 driver;内核 kernel core;核心 core;
上下文 context;生命周期 lifecycle;环境 environment env;全局 global;本地 local;远程 remote;公共 public common;私有 private;可选 optional;必需 required;可空 nullable;空值 null;空 empty null;未知 unknown;无效 invalid;有效 valid;唯一 unique;
嵌套 nested;自定义 custom;内置 builtin;原始 raw primitive;严格 strict;模糊 fuzzy;通配符 wildcard;占位符 placeholder;字面量 literal;导入 import;汇入 import;导出 export;汇出 export;声明 declaration declare;定义 definition define;
方向 direction;顺序 order;优先级 priority;条件 condition;分支 branch;步骤 step;阶段 phase stage;规则 rule;结果 result;目标 target;来源 source;源 source origin;原因 cause reason;描述 description;文档 document docs;说明 description;
添 add;调用 call invoke;呼叫 call invoke;触发 trigger fire;使用 use;获取 get fetch;取得 get;提取 extract;发送 send;接收 receive;接受 accept;传递 pass;传输 transport transfer;拒绝 reject deny;允许 allow;启用 enable;禁用 disable;
切换 switch toggle;移动 move;复制 copy clone;拷贝 copy;克隆 clone;计算 compute calculate;收集 collect;聚合 aggregate;分析 analyze analysis;管理 manage management;管理器 manager;维护 maintain;支持 support;访问 access visit;
的 ;了 ;是 ;和 ;与 ;或 ;在 ;中 ;里 ;从 ;到 ;把 ;被 ;将 ;为 ;并 ;随 ;按 ;于 ;由 ;对于 ;如何 ;怎么 ;怎样 ;怎麽 ;哪里 ;哪儿 ;什么 ;为什么 ;何时 ;时候 ;以及 ;通过 ;进行 ;之间 ;之后 ;之前 ;一个 ;这个 ;可以 ;哪些 ;哪个 ;所有 all;每个 each;多个 multiple;不 not;当 ;时 ;
`;

/** Traditional characters of the table's words, each before its simplified one. */
const TRADITIONAL = `
請请應应響响務务權权會会話话詞词標标記记戶户網网關关機机協协議议連连線线斷断開开時时試试轉转發发攔拦過过濾滤篩筛選选處处數数視视圖图檢检範范佈布組组屬属監监聽听調调鉤钩擴扩塊块庫库進进執执緒绪業业計计隊队佇伫棧栈緩缓衝冲區区儲储鏈链號号鎖锁
並并異异諾诺遞递歸归構构參参實实變变環环鍵键對对類类繼继現现體体舉举聯联陣阵鍊链樹树節节點点邊边葉叶針针換换導导編编碼码簽签證证書书憑凭認认鑑鉴錄录註注冊册帳帐驗验設设預预閉闭載载裝装訂订閱阅廣广訊讯題题狀状態态蹤踪較较匯汇併并刪删創创廠厂
飾饰適适觀观問问寫写讀读復复滾滚資资據据欄栏約约遷迁頁页檔档夾夹徑径壓压縮缩級级輪轮錯错誤误敗败獲获蓋盖語语譯译運运釋释達达動动義义規规準准則则長长寬宽齊齐顏颜樣样彈弹鈕钮單单擇择顯显隱隐輸输終终臺台瀏浏覽览靜静頭头內内郵邮電电間间遲迟統统
優优憶忆洩泄價价購购車车籤签稱称別别識识棄弃輔辅賴赖綁绑掛挂驅驱遠远無无嚴严綴缀順顺條条階阶結结來来說说觸触傳传絕绝啟启複复貝贝維维護护訪访從从麼么裡里這这個个與与為为後后
`;

let glossary: Glossary | null = null;
let simplified: ReadonlyMap<string, string> | null = null;

/** English words of each Chinese one; made when a question first needs it. */
export function readChinese(): Glossary {
  glossary ??= parseGlossary(ENTRIES);
  return glossary;
}

/** The text with simplified characters, as far as the table has them. */
export function toSimplified(text: string): string {
  simplified ??= new Map(
    (TRADITIONAL.match(/\S\S/gu) ?? []).map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
  );
  return [...text].map((one) => simplified?.get(one) ?? one).join("");
}
