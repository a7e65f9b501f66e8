import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { COMMANDS, entryFile } from '../apps/server/src/cli/command-line.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(path.join(folder, 'data'))
const missing = path.join(folder, 'none', 'file')

/** Commands that open the database before the file. */
const AFTER_DATABASE = ['import propose FOLDER', 'backup FILE']
const lines = Object.entries(COMMANDS)
  .flatMap(([name, { ways = [] }]) => ways.filter((way) => /FILE|FOLDER/.test(way)).map((way) => `${name} ${way}`))
  .filter((line) => !AFTER_DATABASE.includes(line))
  .map((line) => line.replace('setup', 'setup --admin a@gmail.com'))

it.each([...lines, 'verify-proof --history FILE FILE'])('%s names the file and the reason when the file cannot be opened', async (line) => {
  const [name = '', ...words] = line.split(' ')
  const args = words.map((word) => (/^[A-Z]+…?$/.test(word) ? missing : word))
  const env = { PATH: process.env['PATH'], NODE_ENV: 'test', DATA_DIR: path.join(folder, 'data') }
  const child = spawn(process.execPath, [entryFile(name), ...args], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([code === 1 || code === 2, output.trim()]).toEqual([true, `${missing} cannot be opened: there is no such file or folder`])
})
