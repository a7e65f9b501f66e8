import type { ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** Options of the commands that have some. */
interface Values {
  setup: { admin?: string; done: boolean }
  serve: { verbose: boolean }
  worker: { once: boolean }
  rewards: { day?: string; hash?: string; 'dry-run': boolean }
  doctor: { json: boolean; mail?: string }
  'ledger-audit': { full: boolean }
  accounts: { month?: string; format?: string; out?: string }
  payments: { full: boolean }
  restore: { identity?: string }
  'verify-export': { key?: string }
  'verify-proof': { member?: string; history?: string }
}

/** Options of each command, and its accepted positional arguments. */
export declare const COMMANDS: Readonly<Record<string, { options?: ParseArgsOptionsConfig; ways?: readonly string[] }>>

export function commandLine<Name extends string>(
  name: Name,
  args?: readonly string[],
): { values: Name extends keyof Values ? Values[Name] : object; positionals: string[] }

/** Finds the file that starts a command or a process of the server. */
export function entryFile(name: string): string

export function readArguments<Options extends ParseArgsOptionsConfig>(
  file: string,
  options?: Options,
  ways?: readonly string[],
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>
