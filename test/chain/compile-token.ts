import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
/** Folder with the token's source and compiled artifact. */
export const TOKEN_FOLDER = path.join(import.meta.dirname, '../../apps/server/src/sandbox/chain')

/** Compiled sandbox token: deployable bytecode, 0x-hex. */
export interface TokenArtifact {
  compiler: string
  bytecode: string
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

/** Compiles play-token.sol; the output is reproducible on every machine. */
export function compileToken(): TokenArtifact {
  const compiler = require('solc') as { version(): string; compile(input: string, callbacks: object): string }
  const input = {
    language: 'Solidity',
    sources: { 'play-token.sol': { content: readFileSync(path.join(TOKEN_FOLDER, 'play-token.sol'), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { PlayToken: ['evm.bytecode.object'] } },
    },
  }
  const found = (name: string) => ({ contents: readFileSync(require.resolve(name), 'utf8') })
  const output = JSON.parse(compiler.compile(JSON.stringify(input), { import: found })) as Output
  const fault = output.errors?.find(({ severity }) => severity === 'error')
  const token = output.contracts['play-token.sol']?.['PlayToken']
  if (fault !== undefined || token === undefined) throw new Error(fault?.formattedMessage ?? 'no token came out')
  return { compiler: compiler.version(), bytecode: `0x${token.evm.bytecode.object}` }
}
