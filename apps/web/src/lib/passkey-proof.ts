import { challengePasskey } from '@tizara/contract/passkeys'
import { call } from './api.ts'
import { type PasskeyAnswer, showPasskey } from './passkey.ts'

/** Lets somebody who is signed in show a passkey once more. @throws ApiError */
export const askPasskey = async (): Promise<PasskeyAnswer> => showPasskey((await call(challengePasskey)).data)
