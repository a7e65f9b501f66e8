import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { EncodedImage } from '../../platform/images/reencode-image.ts'
import { storeImage } from './store-image.ts'

/**
 * Opens a ticket (API-92).
 * @returns the ticket's public id
 * @throws AppError TOO_MANY_REQUESTS if the member's images exceed the quota
 */
export async function openTicket(
  tx: Tx,
  deps: Deps,
  input: {
    memberId: bigint
    title: string
    description: string
    image: EncodedImage
    /** The list row that the ticket is about. The caller has verified that it belongs to the member. */
    about?: { kind: string; id: string } | undefined
  },
): Promise<string> {
  const at = deps.clock.now()
  const imageId = await storeImage(tx, deps, input.memberId, input.image)
  const publicId = deps.ids.publicId()
  await tx
    .insertInto('ticket')
    .values({
      public_id: publicId,
      member_id: input.memberId,
      title: input.title,
      description: input.description,
      image_id: imageId,
      about_kind: input.about?.kind ?? null,
      about_id: input.about?.id ?? null,
      created_at: at,
      last_message_at: at,
    })
    .execute()
  return publicId
}
