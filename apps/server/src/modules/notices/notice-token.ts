import { type OptionalNotice, optionalNotices } from '@tizara/contract/notices'
import type { Deps } from '../../platform/runtime/deps.ts'
import { isSigned, signatureOf } from '../../platform/crypto/sign.ts'

/** Content of an unsubscribe token: a member and types of mail. A person who receives a forwarded mail can only switch these types off. */
interface NoticeSubject {
  /** Public id of the member. */
  id: string
  events: OptionalNotice[]
}

const PURPOSE = 'notice link'

export function noticeToken({ config }: Pick<Deps, 'config'>, { id, events }: NoticeSubject): string {
  const payload = `${id}.${events.toSorted().join('~')}`
  return `${payload}.${signatureOf(config.dataKey, PURPOSE, payload)}`
}

/** Reads member and kinds of a token; undefined for an invalid token. */
export function readNoticeToken(deps: Pick<Deps, 'config'>, token: string): NoticeSubject | undefined {
  const [id = '', names = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(deps, PURPOSE, `${id}.${names}`, signature)) return undefined
  return { id, events: optionalNotices.filter((one) => names.split('~').includes(one)) }
}
