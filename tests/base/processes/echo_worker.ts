/** A thread that gives back what it is sent, with what it was greeted with, until it is sent `hang`. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<string | { readonly hello: string }>) => void;
  postMessage(value: string): void;
};

let hello = "";
let hangs = false;

scope.onmessage = ({ data }) => {
  hangs ||= data === "hang";
  if (hangs) return;
  if (typeof data === "string") scope.postMessage(data + hello);
  else hello = data.hello;
};
