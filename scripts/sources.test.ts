import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = ['apps/server/src', 'apps/web/src', 'packages/contract/src', 'packages/money/src'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^test\//.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
const naming = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(`${root}${file}`, 'utf8')))

describe('the product’s own code', () => {
  it('evaluates no text, and starts no process but those of a backup, without a shell', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(naming(/node:vm\b|\beval\(|new Function\(|\bshell:/)).toEqual([])
    expect(naming(/node:child_process/)).toEqual(['apps/server/src/main/backup/postgres-tool.ts'])
  })

  it('calls the outside from these places only, and none takes its address from a member', () => {
    expect(
      naming(/\bfetch\(/)
        .filter((file) => file.startsWith('apps/server/'))
        .toSorted(),
    ).toEqual([
      'apps/server/src/gateways/chain/rpc.ts',
      'apps/server/src/gateways/payment-provider/http-provider.ts',
      'apps/server/src/main/doctor/machine.ts',
      'apps/server/src/main/doctor/outside.ts',
      'apps/server/src/main/ready.ts',
      'apps/server/src/main/staff/session.ts',
      'apps/server/src/sandbox/sandbox-provider.ts',
    ])
  })
})
