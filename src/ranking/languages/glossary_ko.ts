/**
 * Korean words of programming with the English ones that code uses for them: a table of our own, of general words of the
 * trade. Its form is that of the Japanese table; verbs stand in the part that does not change. Pure.
 */
import type { Glossary } from "./glossary.ts";
import { parseGlossary } from "./glossary.ts";

const ENTRIES = `
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

let glossary: Glossary | null = null;

/** English words of each Korean one; made when a question first needs it. */
export function readKorean(): Glossary {
  glossary ??= parseGlossary(ENTRIES);
  return glossary;
}
