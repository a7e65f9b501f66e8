import { type OptionalNotice, optionalNotices } from '@tizara/contract/notices'
import type { Deps } from '../../platform/runtime/deps.ts'
import { isSigned, signatureOf } from '../../platform/crypto/sign.ts'

/** Which mails of whom a token switches off; it can do nothing else, so that a mail that is passed on gives nothing away. */
interface NoticeSubject {
  /** The member's id on the wire. */
  id: string
  events: OptionalNotice[]
}

const PURPOSE = 'notice link'

export function noticeToken({ config }: Pick<Deps, 'config'>, { id, events }: NoticeSubject): string {
  const said = `${id}.${events.toSorted().join('~')}`
  return `${said}.${signatureOf(config.dataKey, PURPOSE, said)}`
}

/** What a token is about; undefined when it is none of ours. */
export function readNoticeToken(deps: Pick<Deps, 'config'>, token: string): NoticeSubject | undefined {
  const [id = '', names = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(deps, PURPOSE, `${id}.${names}`, signature)) return undefined
  return { id, events: optionalNotices.filter((one) => names.split('~').includes(one)) }
}
