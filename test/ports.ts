import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** First port to claim. Ports up to 31,999 are below the ephemeral range of Linux (from 32,768). */
const FIRST_PORT = 20_000
const PORT_COUNT = 12_000
const ATTEMPTS = 200

const claims = path.join(tmpdir(), 'claimed-ports')

/**
 * Claims a free loopback TCP port until this process exits. A claim prevents races between lookup and use, because every test run claims
 * here.
 */
export async function claimPort(): Promise<number> {
  mkdirSync(claims, { recursive: true })
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST_PORT + randomInt(PORT_COUNT)
    if (writeClaim(port) && (await isFree(port))) return port
  }
  throw new Error(`no free port after ${ATTEMPTS} attempts; delete ${claims} if no test is running`)
}

/** Creates the claim file; returns false if another process has it. */
function writeClaim(port: number): boolean {
  const file = path.join(claims, String(port))
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    return false
  }
  process.once('exit', () => rmSync(file, { force: true }))
  return true
}

/** Returns true if a server can listen on the port now. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
