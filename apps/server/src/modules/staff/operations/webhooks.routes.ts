import * as wire from '@tizara/contract/staff-webhooks'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { listDeliveries, listEndpoints, rotateSecret, sendAgain, stopEndpoint } from '../../webhooks/index.ts'
import { mailTime } from '../../../gateways/mailer/index.ts'
import { assertStaff, auditStaff } from '../access/actor.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'
import { mailAdmins } from '../access/mail-admins.ts'

const subjectOf = (id: string) => ({ type: 'webhook', id })

/** Binds the routes for webhooks. */
export function webhookRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(wire.staffWebhooks, async ({ db, deps }) => answer(await listEndpoints(db, deps.clock.now())))
  bind.read(wire.staffWebhookDeliveries, async ({ db, params, query }) => answer(await listDeliveries(db, { ...params, ...query })))
  action.write(wire.rotateWebhookSecret, 'webhook.secret', 'webhook', async ({ tx, deps, actor, input: { id, reason } }) => {
    await assertStaff(tx, deps, actor, 'rotateWebhookSecret')
    const secret = await rotateSecret(tx, deps, id)
    await mailAdmins(tx, deps, 'a webhook has a new secret', [
      `On ${mailTime(deps.clock.now())} an admin created a new secret for the webhook ${id}. An earlier secret stays valid for a day.`,
      'If no admin tells you the reason, switch the webhook off and create another secret.',
    ])
    await auditStaff(tx, deps, actor, { action: 'webhook.secret', subject: subjectOf(id), reason })
    return answer({ secret })
  })
  action.write(wire.stopWebhook, 'webhook.stop', 'webhook', async ({ tx, deps, actor, input: { id, ends, reason } }) => {
    await assertStaff(tx, deps, actor, 'stopWebhook')
    await stopEndpoint(tx, deps, { id, ends })
    await auditStaff(tx, deps, actor, { action: 'webhook.stop', subject: subjectOf(id), reason, detail: { ends } })
    return answer(null, ends ? 'The endpoint is ended' : 'The endpoint is switched off')
  })
  action.write(wire.sendWebhookAgain, 'webhook.send-again', 'webhook', async ({ tx, deps, actor, input: { id, eventId } }) => {
    await assertStaff(tx, deps, actor, 'sendWebhookAgain')
    await sendAgain(tx, deps.clock.now(), { id, eventId })
    await auditStaff(tx, deps, actor, { action: 'webhook.send-again', subject: subjectOf(id), detail: { eventId } })
    return answer(null, 'The webhook is sent again')
  })
}
