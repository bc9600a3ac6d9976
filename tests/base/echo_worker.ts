/** A thread that gives back what it is sent, with what it was greeted with; \`hang\` it never answers. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<string | { readonly hello: string }>) => void;
  postMessage(value: string): void;
};

let hello = "";

scope.onmessage = ({ data }) => {
  if (data === "hang") return;
  if (typeof data === "string") scope.postMessage(data + hello);
  else hello = data.hello;
};
