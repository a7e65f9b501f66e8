import { createServer } from 'node:http'
import { toErrorReply } from '../http/error-reply.ts'
import { writeJson } from '../http/json.ts'
import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { readSchema } from '../platform/schema-files.ts'
import { SchemaRefused, whatSchemaLacks } from '../platform/schema-state.ts'

/** Milliseconds between two looks at the schema. */
const PAUSE = 500

/** What keeps this version from working on the database, as one sentence; undefined: nothing. */
export async function schemaLack({ pool }: Database): Promise<string | undefined> {
  try {
    return await whatSchemaLacks(pool, readSchema())
  } catch (error) {
    // What else goes wrong may name hosts and accounts, and the sentence is shown to everybody.
    return error instanceof SchemaRefused ? error.message : 'The database does not answer.'
  }
}

/**
 * Waits until the database has what this version needs, and says once what it lacks. With an address, calls are answered
 * there meanwhile: alive, not ready and why, and every call refused for now.
 */
export async function waitForSchema(database: Database, log: Log, listen?: { host: string; port: number }): Promise<void> {
  let reason = await schemaLack(database)
  if (reason === undefined) return
  log.warn(reason)
  const server = createServer((request, reply) => {
    const alive = request.url === '/health/live'
    reply.writeHead(alive ? 200 : 503, { 'Content-Type': 'application/json; charset=utf-8', ...(alive ? {} : { 'Retry-After': '2' }) })
    if (alive) reply.end('{"status":"live"}')
    else if (request.url === '/health/ready') reply.end(JSON.stringify({ status: 'not ready', reason }))
    else reply.end(writeJson(toErrorReply(new AppError('BUSY')).body))
  })
  if (listen !== undefined)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(listen.port, listen.host, resolve))
  while (reason !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const now = await schemaLack(database)
    if (now !== undefined && now !== reason) log.warn(now)
    reason = now
  }
  server.closeAllConnections()
  if (listen !== undefined) await new Promise((resolve) => server.close(resolve))
}
