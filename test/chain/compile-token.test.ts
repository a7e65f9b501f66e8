import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { compileToken, TOKEN_FOLDER } from './compile-token.ts'

it('the committed token equals the compiled sources', () => {
  expect(JSON.parse(readFileSync(path.join(TOKEN_FOLDER, 'play-token.json'), 'utf8'))).toEqual(compileToken())
})
