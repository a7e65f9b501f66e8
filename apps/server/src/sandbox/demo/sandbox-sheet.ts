import type { FastifyInstance } from 'fastify'
import { memberByEmail } from '../../modules/members/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { moveClock } from '../../platform/db/follow-clock.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
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
  app.post('/sandbox/later', async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    if (request.headers[OWN_PAGE] === undefined) return reply.code(400).send({ message: `The header ${OWN_PAGE} is missing` })
    if (!(await moveClock(db, DAY_MS / 1000)))
      return reply.code(400).send({ message: 'The clock is ten years ahead. Delete the data folder to begin again.' })
    return reply.send({ now: deps.clock.now().toISOString() })
  })
}
