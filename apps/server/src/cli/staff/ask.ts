import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

let lines: AsyncIterator<string> | undefined

/** Reads a line without echo from the terminal, or the next line of a pipe. */
export async function askSecret(question: string): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) {
    process.stderr.write(question)
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    const reader = createInterface({ input: stdin, output: silent, terminal: true })
    const line = await new Promise<string>((resolve) => {
      reader.once('line', resolve)
    })
    reader.close()
    process.stderr.write('\n')
    return line
  }
  lines ??= createInterface({ input: stdin })[Symbol.asyncIterator]()
  const next = await lines.next()
  return next.done === true ? '' : next.value
}
