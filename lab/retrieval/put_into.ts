/**
 * Questions of the benchmark put into Chinese and Korean, by the id of the English one. Our own sentences, written
 * before the tables of these languages were; but the same hand wrote both.
 */

/** A language with its sentences. */
export const PUT_INTO: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Chinese: {
    "express-12": "在响应中设置和签名 cookie",
    "express-03": "模板视图的查找与渲染",
    "flask-02": "会话管理",
    "flask-06": "错误处理器",
    "fmtlib-14": "格式说明符中的宽度、精度、填充和对齐",
    "fmtlib-04": "终端输出的颜色和文本样式格式化",
    "gin-00": "路由是如何分组和注册的",
    "gin-06": "日志中间件和访问日志格式",
    "gson-08": "字段和类的序列化排除策略",
    "gson-05": "流式 JSON 读取器与令牌解析",
    "ktor-04": "请求和响应的超时是如何实现的",
    "ktor-06": "cookie 如何保存并随请求发送",
    "monolog-08": "按日期轮转日志的文件处理器",
    "monolog-10": "按级别过滤记录的过滤处理器",
    "newtonsoft-json-16": "日期处理与 ISO 8601 解析",
    "phoenix-06": "在线状态跟踪、差异和广播",
    "phoenix-10": "路由器如何将路径片段匹配到控制器和动作",
    "serde-08": "派生宏如何为结构体和枚举生成反序列化代码",
    "telescope.nvim-06": "选择器的布局策略如何定位浮动窗口",
    "zod-06": "联合类型和可辨识联合的模式",
  },
  Korean: {
    "express-12": "응답에 쿠키를 설정하고 서명하기",
    "express-03": "템플릿 뷰 검색과 렌더링",
    "flask-02": "세션 관리",
    "flask-06": "에러 핸들러",
    "fmtlib-14": "서식 지정자의 너비, 정밀도, 채움, 정렬",
    "fmtlib-04": "터미널 출력을 위한 색상과 텍스트 스타일 서식",
    "gin-00": "라우트는 어떻게 그룹화되고 등록되는가",
    "gin-06": "로깅 미들웨어와 접근 로그 형식",
    "gson-08": "필드와 클래스의 직렬화 제외 전략",
    "gson-05": "스트리밍 JSON 리더와 토큰 파싱",
    "ktor-04": "요청과 응답의 타임아웃은 어떻게 적용되는가",
    "ktor-06": "쿠키는 어떻게 저장되고 요청과 함께 전송되는가",
    "monolog-08": "날짜별로 로그를 교체하는 파일 핸들러",
    "monolog-10": "레벨에 따라 레코드를 거르는 필터 핸들러",
    "newtonsoft-json-16": "날짜 처리와 ISO 8601 파싱",
    "phoenix-06": "접속 상태 추적, 차이, 브로드캐스트",
    "phoenix-10": "라우터는 경로 세그먼트를 컨트롤러와 액션에 어떻게 매칭하는가",
    "serde-08": "derive 매크로는 구조체와 열거형의 역직렬화 코드를 어떻게 생성하는가",
    "telescope.nvim-06": "피커의 레이아웃 전략은 플로팅 창을 어떻게 배치하는가",
    "zod-06": "유니온과 구별된 유니온 스키마 타입",
  },
};
