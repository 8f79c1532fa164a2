/** One algorithm alone: the package's entry has all of them, 0.2 MB of the bundle. */
declare module 'hash-wasm/dist/keccak.umd.min.js' {
  const keccak: Pick<typeof import('hash-wasm'), 'createKeccak'>;
  export default keccak;
}
