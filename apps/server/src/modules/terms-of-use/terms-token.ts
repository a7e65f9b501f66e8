import { isSigned, signatureOf } from '../../platform/crypto/sign.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** Content of a mailed link: a member and the terms that the mail was about. It can only accept these terms for this member. */
interface TermsSubject {
  /** Public id of the member. */
  id: string
  version: number
  hash: string
}

const PURPOSE = 'terms link'

export function termsToken({ config }: Pick<Deps, 'config'>, { id, version, hash }: TermsSubject): string {
  const payload = `${id}.${version}.${hash}`
  return `${payload}.${signatureOf(config.dataKey, PURPOSE, payload)}`
}

/** Reads a mailed link's token; undefined if the signature is invalid. */
export function readTermsToken(deps: Pick<Deps, 'config'>, token: string | undefined): TermsSubject | undefined {
  const [id = '', version = '', hash = '', signature = '', ...rest] = (token ?? '').split('.')
  if (rest.length > 0 || !isSigned(deps, PURPOSE, `${id}.${version}.${hash}`, signature)) return undefined
  return { id, version: Number(version), hash }
}
