import { addressOf } from '../lib/http/http.ts'
import { ticketImage } from '@tizara/contract/support'

/** Ticket image location: the API (with session) or a public URL. */
export type ImageLocation = { kind: 'api'; address: string } | { kind: 'open'; address: string } | { kind: 'elsewhere'; address: string }

/**
 * Returns how to load an image. This server uses `/ticket-images/…` on the API. Other servers may send a file URL, which the CSP allows
 * only from its own origin.
 */
export function imageLocation(image: string): ImageLocation {
  if (image.startsWith('data:image/') || image.startsWith('blob:')) return { kind: 'open', address: image }
  const imageId = /^\/?ticket-images\/([A-Za-z0-9_-]{1,64})$/.exec(image)?.[1]
  if (imageId !== undefined) return { kind: 'api', address: addressOf(ticketImage, { params: { id: imageId } }) }
  const address = new URL(image, location.origin)
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return { kind: 'elsewhere', address: '' }
  const base = new URL(addressOf(ticketImage, { params: { id: 'x' } }), location.origin)
  const api = base.href.slice(0, -'/ticket-images/x'.length)
  if (address.href.startsWith(`${api}/`)) return { kind: 'api', address: address.href }
  return { kind: address.origin === location.origin ? 'open' : 'elsewhere', address: address.href }
}
