/** Reads the name of a row, `bridge.Xy12`, whose form the contract has checked. */
export function namedRow(name: string): { kind: string; id: string } {
  const [kind = '', id = ''] = name.split('.')
  return { kind, id }
}
