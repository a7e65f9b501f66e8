import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { listenError } from './listen-error.ts'
import { assertPortsFree } from './assert-ports-free.ts'

const other = createServer()
let taken: number
beforeAll(async () => {
  taken = await freePort()
  await new Promise<void>((resolve) => other.listen(taken, '127.0.0.1', resolve))
})
afterAll(() => void other.close())

it('names the port in use and the setting that changes it', async () => {
  await expect(assertPortsFree('127.0.0.1', { PORT: await freePort(), SANDBOX_PORT: taken })).rejects.toThrow(
    `Port ${taken} is in use. Stop the program that uses it, or choose another port with SANDBOX_PORT=`,
  )
})

it('explains an address that this machine lacks, and a port that needs more rights', async () => {
  // A documentation address, which no machine has.
  await expect(assertPortsFree('192.0.2.1', { PORT: taken })).rejects.toThrow('192.0.2.1 is not an address of this machine: correct HOST')
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 })
  expect(listenError(refused)).toContain('This user may not listen on port 80')
  expect(listenError(Object.assign(refused, { syscall: 'open' }))).toBe(undefined)
})

it('does not occupy free ports', async () => {
  const port = await freePort()
  for (const _ of [1, 2]) await expect(assertPortsFree('127.0.0.1', { PORT: port })).resolves.toBeUndefined()
})
