import type { FastifyInstance } from 'fastify'
import { memberByEmail } from '../../modules/members/index.ts'
import { advanceClockFile, DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { cast, DEMO_PASSWORD, demoLeader } from './cast.ts'

/** Header that a page of another site cannot send without permission, so that such pages cannot move the clock. */
const OWN_PAGE = 'x-sandbox'

/**
 * Adds the calls of the sandbox badge: `GET /sandbox/sheet` lists the addresses and demo accounts, and `POST /sandbox/later` moves the
 * clock ahead by one day. The routes exist only in the sandbox.
 */
export function addSandboxSheet(app: FastifyInstance, db: Db, deps: Pick<Deps, 'config' | 'clock'>): void {
  const { config } = deps
  if (!config.sandbox) return
  app.get('/sandbox/sheet', async (_, reply) => {
    const hasDemo = (await memberByEmail(db, demoLeader.email)) !== undefined
    return reply.header('Cache-Control', 'no-store').send({
      now: deps.clock.now().toISOString(),
      mails: config.smtpUrl === undefined,
      apiDocs: config.apiDocs,
      password: DEMO_PASSWORD,
      accounts: hasDemo ? cast.map(({ name, email, part, role }) => ({ name, email, part, isStaff: role !== undefined })) : [],
    })
  })
  const { clockFile } = config
  if (clockFile === undefined) return
  app.post('/sandbox/later', async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    if (request.headers[OWN_PAGE] === undefined) return reply.code(400).send({ message: `The header ${OWN_PAGE} is missing` })
    const now = advanceClockFile(clockFile, DAY_MS)
    if (now === undefined) return reply.code(400).send({ message: 'The clock is ten years ahead. Delete the data folder to begin again.' })
    return reply.send({ now: now.toISOString() })
  })
}
