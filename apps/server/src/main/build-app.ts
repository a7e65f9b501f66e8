import type { FastifyInstance } from 'fastify'
import { addApiPage } from '../http/api-page/index.ts'
import { addSandboxOutbox } from '../gateways/mailer/index.ts'
import { createApp } from '../http/server/app.ts'
import { addLive } from '../http/live/live.ts'
import { registerCall, scaled } from '../http/calls/rate-limit.ts'
import { callerNetwork } from '../http/server/caller-network.ts'
import { addBrandFiles } from '../http/pages/brand-files.ts'
import { addLanguageFiles } from '../http/pages/language-files.ts'
import { addWebFiles } from '../http/pages/web-files.ts'
import { recordSuspendedCall } from '../modules/audit/index.ts'
import { createAuthenticate } from '../modules/auth/index.ts'
import { readPublicLogo } from '../modules/brand/index.ts'
import { followTerms, mailTerms } from '../modules/terms-of-use/index.ts'
import { addPlayExplorer } from '../sandbox/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Reads } from '../platform/db/replica.ts'
import type { Ports } from './ports.ts'
import { demoLeader } from '../sandbox/demo/cast.ts'
import { addSandboxSheet } from '../sandbox/demo/sandbox-sheet.ts'
import { staffLive } from '../modules/staff/index.ts'
import { liveMarks } from './live-marks.ts'
import { bindRoutes } from './routes.ts'

/** Requests from a network for logos that are not in force, such as those of earlier brands. */
const LOGO_LIMIT = { hits: 60, windowMs: 60_000 }

/**
 * Builds the HTTP app: routes, API documentation and pages.
 * @param dist folder of the built web app
 */
export function buildApp(deps: Deps, db: Db, ports: Ports, reads?: Reads, dist?: string): Promise<FastifyInstance> {
  const authenticate = createAuthenticate(deps)
  return createApp({
    deps,
    db,
    reads,
    authenticate,
    onSuspended: recordSuspendedCall,
    onTermsDue: mailTerms,
    bindRoutes: (bind) => bindRoutes(bind, ports),
    addPages: async (app) => {
      addLive(app, { db, deps, authenticate, marks: (where, ids) => liveMarks(where, ids, deps.clock.now()), staff: staffLive })
      if (deps.config.apiDocs) addApiPage(app, deps.config, deps.config.sandbox ? demoLeader : undefined)
      if (deps.config.sandbox && deps.config.smtpUrl === undefined) await addSandboxOutbox(app, deps)
      addPlayExplorer(app, deps.config)
      addSandboxSheet(app, db, deps)
      addLanguageFiles(app, deps.config)
      addBrandFiles(
        app,
        deps.config,
        (hash, side) => readPublicLogo(db, deps, hash, side),
        (ip) => registerCall(db, `logo:ip:${callerNetwork(ip)}`, scaled(deps, LOGO_LIMIT), deps.clock.now()),
      )
      await addWebFiles(app, deps.config, { dist, hasTerms: followTerms(db, deps) })
    },
  })
}
