export function Matrix() {
  return <p>soon</p>;
}
