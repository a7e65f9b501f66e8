import sharp from 'sharp'
import { addReply, openTicket } from '../../modules/support/index.ts'
import { inTransaction } from '../../platform/database.ts'
import type { Stage } from './perform.ts'
import type { Act } from './story.ts'

/** Writes a ticket with a small picture, and the answer of support where the story has one. */
export async function writeTicket(stage: Stage, memberId: bigint, act: Extract<Act, { do: 'ticket' }>): Promise<void> {
  const { db, deps, staff } = stage
  const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#0f9d94' } })
    .webp()
    .toBuffer()
  await inTransaction(db, async (tx) => {
    const ticketId = await openTicket(tx, deps, {
      memberId,
      title: act.title,
      description: act.text,
      picture: { contentType: 'image/webp', bytes },
    })
    if (act.answer !== undefined) await addReply(tx, deps, { ticketId, authorId: staff.support, role: 'SUPPORT', message: act.answer })
  })
}
