import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freePort } from './postgres.ts'

it('reserves a separate port for each caller, below the range of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(ports.length)
  expect(Math.max(...ports)).toBeLessThan(32_768)
})

it('stops the server and deletes its data when a signal ends the process that started it', async () => {
  const module = JSON.stringify(fileURLToPath(new URL('postgres.ts', import.meta.url)))
  // Vitest and the commands of the project exit on a signal.
  const program = `import { startPostgres } from ${module}
    process.once('SIGTERM', () => process.exit(130))
    const { dataDir } = await startPostgres({ fsync: 'off' })
    console.log(dataDir)
    setInterval(() => undefined, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const folder = path.dirname(line.toString().trim())
  expect(existsSync(folder)).toBe(true)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(existsSync(folder)).toBe(false)
  await expect.poll(() => serversIn(folder)).toEqual([])
})

/** Returns the processes that run on a data folder. */
const serversIn = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
    } catch {
      return false
    }
  })
