/** Parses the name of a row, such as `bridge.Xy12`. The contract has checked its format. */
export function namedRow(name: string): { kind: string; id: string } {
  const [kind = '', id = ''] = name.split('.')
  return { kind, id }
}
