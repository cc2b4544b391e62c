declare module '*.css';
declare module '*?raw' {
  const text: string;
  export default text;
}
declare module '*?worker&inline' {
  const create: new () => Worker;
  export default create;
}
