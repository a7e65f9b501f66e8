import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { guardInputs } from './guard-inputs.ts'

const at = (file: string) => new URL(`../${file}`, import.meta.url)

it('a file of the repository that is not an input of the step cannot be read', async () => {
  guardInputs('server')
  const refusal = /^apps\/web\/package\.json is not an input of the step server/
  expect(() => readFileSync(at('apps/web/package.json'))).toThrow(refusal)
  await expect((async () => await readFile(at('apps/web/package.json')))()).rejects.toThrow(refusal)
  await expect((async () => await readdir(at('e2e')))()).rejects.toThrow(/^e2e is not an input/)
  expect(readFileSync(at('apps/server/package.json'), 'utf8')).toContain('@tizara/server')
  expect(readFileSync(at('node_modules/vitest/package.json'), 'utf8')).toContain('vitest')
  expect(await readdir(tmpdir())).toBeDefined()
})
