/** The tables of Korean and Chinese words, how such tables are written, and when they are read. Pure. */

/**
 * Korean words of programming with the English ones that code uses for them: a table of our own, of general words of the
 * trade. Its form is that of the Japanese table; verbs stand in the part that does not change.
 */
const KOREAN_ENTRIES = `
라우트 route;라우터 router;라우팅 routing route router;경로 path route;미들웨어 middleware;토큰 token;세션 session;쿠키 cookie;헤더 header;바디 body;본문 body;페이로드 payload;
요청 request;리퀘스트 request;응답 response;리스폰스 response;서버 server;클라이언트 client;사용자 user;유저 user;계정 account;서비스 service;인터페이스 interface;엔드포인트 endpoint;게이트웨이 gateway;
프록시 proxy;호스트 host;포트 port;소켓 socket;웹소켓 websocket;웹 web;네트워크 network;프로토콜 protocol;연결 connection connect;커넥션 connection;접속 connection presence access;해제 release disconnect;타임아웃 timeout;시간초과 timeout;
재시도 retry;리트라이 retry;리다이렉트 redirect;리디렉션 redirect;전달 forward pass;포워드 forward;인터셉터 interceptor;인터셉트 intercept;가로채 intercept;필터 filter;필터링 filter;거르 filter;거름 filter;핸들러 handler;처리기 handler processor;
처리 handle process;프로세서 processor;컨트롤러 controller;제어 control;뷰 view;모델 model;템플릿 template;렌더링 render rendering;렌더 render;렌더러 renderer;레이아웃 layout;배치 layout position batch;컴포넌트 component;구성요소 component;위젯 widget;
속성 property attribute;프로퍼티 property;이벤트 event;리스너 listener;수신기 receiver listener;콜백 callback;훅 hook;플러그인 plugin;확장 extension extend;모듈 module;패키지 package;라이브러리 library;프레임워크 framework;애플리케이션 application app;앱 app application;
프로그램 program;프로세스 process;스레드 thread;쓰레드 thread;코루틴 coroutine;태스크 task;작업 task job work;잡 job;워커 worker;스케줄러 scheduler;스케줄 schedule;예약 schedule reserve;디스패처 dispatcher;디스패치 dispatch;타이머 timer;큐 queue;대기열 queue;
스택 stack;힙 heap;버퍼 buffer;버퍼링 buffering buffer;캐시 cache;캐싱 cache caching;풀 pool;스트림 stream;스트리밍 streaming stream;파이프 pipe;파이프라인 pipeline;채널 channel;시그널 signal;신호 signal;세마포어 semaphore;락 lock;잠금 lock;뮤텍스 mutex;데드락 deadlock;
동시성 concurrency;동시 concurrent;병렬 parallel;비동기 async asynchronous;동기화 synchronize sync;동기 sync synchronous;블로킹 blocking;대기 wait await;프로미스 promise;퓨처 future;반복자 iterator;반복 iterate loop repeat;이터레이터 iterator;순회 traverse iterate;
루프 loop;재귀 recursive recursion;제너레이터 generator;생성기 generator;함수 function;메서드 method;메소드 method;생성자 constructor;소멸자 destructor;매개변수 parameter;파라미터 parameter;인자 argument;인수 argument;반환값 return value;반환 return;변수 variable;
환경변수 environment env variable;환경 environment env;상수 constant;값 value;키 key;쌍 pair;객체 object;오브젝트 object;인스턴스 instance;클래스 class;하위클래스 subclass;서브클래스 subclass;부모 parent;자식 child;추상화 abstraction;추상 abstract;상속 inherit inheritance;파생 derive derived;
구현 implementation implement;구조체 struct;구조 structure;열거형 enum;열거 enum enumerate;유니온 union;공용체 union;튜플 tuple;배열 array;리스트 list;목록 list;집합 set collection;컬렉션 collection;맵 map;매핑 mapping map;매퍼 mapper;사전 dictionary dict;딕셔너리 dictionary dict;해시 hash;
트리 tree;노드 node;그래프 graph;간선 edge;루트 root;인덱스 index;색인 index;포인터 pointer;참조 reference;순환 cycle circular;제네릭 generic;타입 type;자료형 type;유형 type kind;형변환 cast convert;변환기 converter transformer;변환 convert transform;추론 infer inference;불리언 boolean bool;
정수 integer int;실수 float;부동소수점 float floating;숫자 number digit;수치 numeric;문자열 string;텍스트 text;문자 character char;바이트 byte;비트 bit;이진 binary;바이너리 binary;인코딩 encoding encode;인코더 encoder;디코딩 decoding decode;디코더 decoder;암호화 encrypt;복호화 decrypt;암호 password cipher;
비밀번호 password;패스워드 password;서명 sign signature;인증서 certificate;자격증명 credential;인증 auth authentication;인가 authorization;권한 permission authorization;역할 role;로그인 login;로그아웃 logout;등록 register registration;가입 register signup;유효성 validation validate;검증 validate validation verify;
밸리데이터 validator;검사 check validate;확인 check confirm;체크섬 checksum;보안 security secure;설정 config set setting configuration;구성 configuration config;옵션 option;선택 select option;기본값 default;기본 default base;초기화 initialize init;시작 start begin;실행 run execute;중지 stop;정지 stop;종료 exit close shutdown;
닫 close;열 column open;재시작 restart;다시 re;로드 load;로더 loader;로딩 loading load;불러오 load;설치 install;배포 deploy release;발행 publish emit;게시 publish post;구독 subscribe subscription;브로드캐스트 broadcast;방송 broadcast;푸시 push;메시지 message;메세지 message;알림 notification notify;통지 notify;토픽 topic;주제 topic subject;방 room;
상태 state status;상태코드 status code;추적 track trace;차이 diff difference;비교 compare;일치 match;매칭 match matching;매치 match;병합 merge;합치 merge join;분할 split;나누 split divide;결합 join combine;정렬 sort align order;검색 search find lookup;조회 lookup query find;찾 find search;쿼리 query;질의 query;교체 replace rotate;치환 replace;대체 replace fallback;
삽입 insert;삭제 delete remove;제거 remove;갱신 update refresh;업데이트 update;수정 modify update;변경 change modify;추가 add append;생성 create generate;만들 make create build;빌드 build;빌더 builder;팩토리 factory;싱글톤 singleton;데코레이터 decorator;어댑터 adapter;옵저버 observer;비지터 visitor;전략 strategy;정책 policy;래퍼 wrapper;감싸 wrap;
코드 code;소스 source;원본 source original;읽기 read;읽 read;리더 reader;쓰기 write;쓰 write use;라이터 writer;저장소 store storage repository;저장 store save;보관 store keep;복원 restore;복구 recover recovery;롤백 rollback;커밋 commit;트랜잭션 transaction;데이터베이스 database db;데이터 data;테이블 table;표 table;행 row line;줄 line;필드 field;레코드 record;
기록 record log write;마이그레이션 migration;스키마 schema;제약 constraint;관계 relation association;커서 cursor;페이지네이션 pagination;페이지 page;일괄 batch bulk;스냅샷 snapshot;백업 backup;파일 file;폴더 folder directory;디렉터리 directory;디렉토리 directory;세그먼트 segment;조각 fragment chunk;청크 chunk;접미사 suffix;접두사 prefix;확장자 extension;
업로드 upload;다운로드 download;압축 compress;로그 log logger;로깅 logging log logger;로거 logger;레벨 level;수준 level;회전 rotate rotation;로테이션 rotation rotate;형식 format type;포맷 format;포매터 formatter;포맷터 formatter;포매팅 formatting format;서식 format formatter;지정자 specifier;에러 error;오류 error;예외 exception error;실패 fail failure;성공 success;경고 warning warn;
던지 throw;발생 raise occur emit;패닉 panic;크래시 crash;디버그 debug;디버깅 debug;단언 assert;테스트 test;시험 test;모의 mock;스텁 stub;벤치마크 benchmark;커버리지 coverage;오버라이드 override;재정의 override;오버로드 overload;파싱 parse parser parsing;파서 parser;구문 syntax;분석 analyze analysis parse;문법 grammar syntax;토크나이저 tokenizer;컴파일 compile;컴파일러 compiler;
런타임 runtime;인터프리터 interpreter;링크 link;매크로 macro;어노테이션 annotation;애너테이션 annotation;주석 comment;메타데이터 metadata;리플렉션 reflection;클로저 closure;범위 range scope;스코프 scope;네임스페이스 namespace;이름공간 namespace;표현식 expression;정규식 regex;정규표현식 regex;문장 statement sentence;연산자 operator;연산 operation;동작 action behavior;액션 action;
직렬화 serialize serialization;역직렬화 deserialize deserialization;시퀀스 sequence;이스케이프 escape;정규화 normalize;정리 clean cleanup;제외 exclude exclusion;제외하 exclude;포함 include contain;무시 ignore;건너뛰 skip;제한 limit restrict;길이 length;크기 size;너비 width;폭 width;높이 height;깊이 depth;정밀도 precision;채움 fill padding;채우 fill;맞춤 align;최대 max;최소 min;위치 position location;오프셋 offset;좌표 coordinate;
색상 color;색 color;스타일 style;테마 theme;글꼴 font;폰트 font;아이콘 icon;이미지 image;창 window;윈도우 window;플로팅 floating float;팝업 popup;대화상자 dialog;버튼 button;메뉴 menu;피커 picker;선택기 selector picker;셀렉터 selector;하이라이트 highlight;강조 highlight;미리보기 preview;표시 display show;숨기 hide;입력 input;출력 output;인쇄 print;터미널 terminal;콘솔 console;명령줄 command line cli;
명령어 command;명령 command;커맨드 command;프롬프트 prompt;단축키 shortcut keymap;편집기 editor;에디터 editor;브라우저 browser;폼 form;정적 static;동적 dynamic;자원 resource;리소스 resource;자산 asset;콘텐츠 content;컨텐츠 content;내용 content;협상 negotiation;메일 mail email;이메일 email;주소 address;도메인 domain;시간 time;시각 time;날짜 date;타임스탬프 timestamp;시간대 timezone;기간 duration period;간격 interval;
만료 expire expiry;지연 delay lazy latency;가중치 weight;점수 score;순위 rank;통계 statistics;카운터 counter;횟수 count;개수 count;지표 metric;메트릭 metric;모니터링 monitor monitoring;성능 performance;최적화 optimize;메모리 memory;할당 allocate allocation;가비지 garbage gc;누수 leak;주문 order;결제 payment checkout;가격 price;장바구니 cart;상품 product;재고 stock inventory;송장 invoice;고객 customer client;공통 common;
그룹화 group;그룹 group;분류 category classify;라벨 label;태그 tag;이름 name;명명 naming name;별칭 alias;식별자 identifier id;번호 number;버전 version;업그레이드 upgrade;호환 compatible compat;지원 support;도구 tool;유틸리티 utility util;헬퍼 helper;도우미 helper;의존성 dependency;의존 dependency depend;주입 inject injection;바인딩 binding bind;마운트 mount;첨부 attach attachment;프론트엔드 frontend;백엔드 backend;엔진 engine;드라이버 driver;커널 kernel;
핵심 core;코어 core;컨텍스트 context;문맥 context;수명주기 lifecycle;라이프사이클 lifecycle;전역 global;지역 local;로컬 local;원격 remote;공개 public;비공개 private;선택적 optional;필수 required;널 null;빈 empty;알수없 unknown;잘못 invalid wrong;유효 valid;고유 unique;중첩 nested;중복 duplicate;구별 distinguish discriminated;식별 identify discriminate;사용자정의 custom;커스텀 custom;내장 builtin;엄격 strict;와일드카드 wildcard;자리표시자 placeholder;리터럴 literal;
가져오 import fetch get;내보내 export;임포트 import;선언 declaration declare;정의 definition define;방향 direction;순서 order;우선순위 priority;조건 condition;분기 branch;브랜치 branch;단계 step stage phase;규칙 rule;결과 result;대상 target;목표 target goal;출처 source origin;원인 cause;이유 reason;설명 description;문서 document docs;호출 call invoke;트리거 trigger;사용 use;획득 get acquire;추출 extract;전송 send transfer transport;송신 send;수신 receive;받 receive;보내 send;
거부 reject deny;허용 allow;허가 permit permission;활성화 enable activate;비활성화 disable;전환 switch toggle;이동 move;복사 copy;복제 clone copy;계산 compute calculate;수집 collect;집계 aggregate;관리자 manager admin;관리 manage management;유지 keep maintain;접근 access;액세스 access;방문 visit;적용 apply;해석 resolve interpret;해결 resolve;
어떻게 ;어디 ;어디서 ;무엇 ;언제 ;왜 ;누가 ;어떤 ;위한 ;위해 ;대한 ;대해 ;따라 ;통해 ;함께 ;그리고 ;또는 ;및 ;있 ;없 no;되 ;하 ;것 ;때 ;경우 ;방법 ;방식 ;모든 all;각 each;각각 each;여러 multiple;또 ;후 after;전 before;중 ;수 ;이 ;그 ;
`;

/** English words of each Korean one. */
export const readKorean = readOnce(KOREAN_ENTRIES);

/**
 * Chinese words of programming with the English ones that code uses for them: a table of our own, of general words of
 * the trade, in simplified characters; words that are said otherwise in Taiwan stand beside, and traditional characters are
 * read as simplified ones. Its form is that of the Japanese table.
 */
const CHINESE_ENTRIES = `
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

let simplified: ReadonlyMap<string, string> | null = null;

/** English words of each Chinese one. */
export const readChinese = readOnce(CHINESE_ENTRIES);

/** The text with simplified characters, as far as the table has them. */
export function simplify(text: string): string {
  simplified ??= new Map(
    (TRADITIONAL.match(/\S\S/gu) ?? []).map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
  );
  return [...text].map((one) => simplified?.get(one) ?? one).join("");
}

/** English words of each word of another language. */
export type Glossary = ReadonlyMap<string, readonly string[]>;

/** A table that is read when a question first needs it. */
export function readOnce(entries: string): () => Glossary {
  let glossary: Glossary | null = null;
  return () => glossary ??= parseGlossary(entries);
}

/** Reads entries such as `검색 search find;`: a word, then its English words, none of them for a word that says nothing. */
function parseGlossary(entries: string): Glossary {
  return new Map(
    entries.split(";").map((entry) => entry.trim().split(/\s+/))
      .filter(([word = ""]) => word !== "")
      .map(([word = "", ...english]) => [word, english]),
  );
}
