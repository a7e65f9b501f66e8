import type { Bind } from '../src/http/calls/bind-route.ts'
import { mailJobs } from '../src/gateways/mailer/index.ts'
import { retentionJob } from '../src/jobs/retention.ts'
import { authRoutes, authRetention, authJobs } from '../src/modules/auth/index.ts'
import { stopAndAuditPayouts } from '../src/modules/withdrawals/index.ts'
import { memberRoutes } from '../src/modules/members/index.ts'
import { downlineCount } from '../src/modules/team/index.ts'
import { type TestApp, testApp } from './app.ts'
import { testDatabase } from './database.ts'
import { type TestMailbox, testMailbox } from './mails.ts'
import { activity } from '../src/main/activity.ts'

/** App with sign-up, sign-in and profile, and its mailbox. */
export interface AuthTestApp extends TestApp {
  mails: TestMailbox
  /** Registers a member and returns the response. */
  register(wishes?: Record<string, unknown>): ReturnType<TestApp['call']>
}

let counter = 0

/** Returns an unused email address. */
export function freshEmail(): string {
  counter += 1
  return `person-${counter}-${process.pid}@gmail.com`
}

/** Builds the app on a new database. */
export async function authTestApp(env: Record<string, string> = {}, more: (bind: Bind) => void = () => undefined): Promise<AuthTestApp> {
  const { db } = await testDatabase()
  const mails = testMailbox()
  const app = await testApp(db, {
    env,
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      memberRoutes(bind, { downlineCount, ...activity })
      more(bind)
    },
    jobs: [...authJobs, retentionJob(authRetention), ...mailJobs(mails)],
  })
  return {
    ...app,
    mails,
    register: (options = {}) =>
      app.call('POST', '/limit/auth/register', {
        body: { name: 'Ada Byron', email: freshEmail(), phone: '+12025550143', password: 'violet-harbour-93', ...options },
      }),
  }
}
