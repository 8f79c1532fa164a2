/** The native half of the package alone; its types describe the whole. */
declare module 'secp256k1/bindings.js' {
  export { default } from 'secp256k1';
}
