import sharp from 'sharp'
import { addReply, openTicket } from '../../modules/support/index.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Act, Stage } from './story.ts'

/** Image of a ticket: a stake's card with elapsed and remaining days. */
const SCREEN = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400">
  <rect width="640" height="400" fill="#e7f4f2"/>
  <rect x="70" y="50" width="500" height="300" rx="22" fill="#ffffff" stroke="#c9dedb" stroke-width="2"/>
  <circle cx="128" cy="112" r="26" fill="#0f9d94"/>
  <path d="M116 112l9 9 16-18" fill="none" stroke="#ffffff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>
  <rect x="172" y="94" width="150" height="14" rx="7" fill="#20413e"/>
  <rect x="172" y="118" width="96" height="10" rx="5" fill="#9fb9b5"/>
  <rect x="102" y="176" width="436" height="16" rx="8" fill="#dcebe8"/>
  <rect x="102" y="176" width="172" height="16" rx="8" fill="#0f9d94"/>
  <path d="M102 306C160 300 190 272 250 268S350 240 400 236 490 216 538 214" fill="none" stroke="#d08a2e" stroke-width="5" stroke-linecap="round"/>
  <circle cx="538" cy="214" r="9" fill="#d08a2e"/>
</svg>`

/** Writes a ticket with a small image, and a support reply if the story has one. */
export async function writeTicket(stage: Stage, memberId: bigint, act: Extract<Act, { do: 'ticket' }>): Promise<void> {
  const { db, deps, staff } = stage
  const bytes = await sharp(Buffer.from(SCREEN)).webp().toBuffer()
  await inTransaction(db, async (tx) => {
    const ticketId = await openTicket(tx, deps, {
      memberId,
      title: act.title,
      description: act.text,
      image: { contentType: 'image/webp', bytes },
    })
    if (act.answer !== undefined) await addReply(tx, deps, { ticketId, authorId: staff.support, role: 'SUPPORT', message: act.answer })
  })
}
