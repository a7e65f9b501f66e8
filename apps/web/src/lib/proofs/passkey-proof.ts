import { challengePasskey } from '@tizara/contract/passkeys'
import { call } from '../http/api.ts'
import { type PasskeyAnswer, showPasskey } from './passkey.ts'

/** Asks a signed-in member for a passkey. @throws ApiError */
export const askPasskey = async (): Promise<PasskeyAnswer> => showPasskey((await call(challengePasskey)).data)
