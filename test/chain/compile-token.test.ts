import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { compileToken } from './compile-token.ts'

it('the committed token is what its sources compile to', () => {
  expect(JSON.parse(readFileSync(path.join(import.meta.dirname, 'play-token.json'), 'utf8'))).toEqual(compileToken())
})
