import * as v from 'valibot'
import { phone } from './auth.ts'
import { email, moment, personName } from './fields.ts'
import { NAME_MAX_LENGTH, PROFILE_IMAGE_MAX_BYTES } from './limits.ts'
import { proofEntries } from './proof.ts'
import { memberAct, memberRead, nothing, route } from './route.ts'

/**
 * Changes of name, image, phone and email address. Phone and address require a proof and freeze payouts. A new address takes effect after the
 * mailed link is opened; the earlier address gets a link that stops the change.
 */

/** Refusals of a proof on a device that is not new. */
export const PROOF_ERRORS = [
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_REFUSED',
  'PASSKEY_REFUSED',
  'CURRENT_PASSWORD_WRONG',
  'CONTACT_CHANGE_NEEDS_KNOWN_DEVICE',
] as const

export const changeName = memberAct({
  name: 'changeName',
  path: '/profile/name',
  limited: true,
  summary: "Changes the member's name. The member gets a mail.",
  body: v.strictObject({ name: personName(NAME_MAX_LENGTH) }),
  reply: nothing,
})

export const setProfileImage = memberAct({
  name: 'setProfileImage',
  path: '/profile/image',
  limited: true,
  summary:
    'Sets the profile image: a JPEG, PNG or WebP of at most 5 MB, which the server crops to a small square and encodes again (EN-09).',
  body: v.object({}),
  upload: { field: 'image', required: true, maxBytes: PROFILE_IMAGE_MAX_BYTES },
  reply: nothing,
  errors: ['FILE_REQUIRED', 'IMAGE_TOO_LARGE', 'FILE_NOT_AN_IMAGE'],
})

export const removeProfileImage = route({
  name: 'removeProfileImage',
  method: 'DELETE',
  path: '/profile/image',
  access: 'member',
  summary: 'Removes the profile image; the default image is shown again (EN-11).',
  reply: nothing,
})

export const changePhone = memberAct({
  name: 'changePhone',
  path: '/profile/phone',
  limited: true,
  summary: "Changes the member's phone number with a proof, and freezes payouts.",
  body: v.strictObject({ phone, ...proofEntries }),
  reply: nothing,
  errors: ['PHONE_REFUSED', ...PROOF_ERRORS],
})

export const changeEmail = memberAct({
  name: 'changeEmail',
  path: '/profile/email',
  limited: true,
  summary:
    'Mails a confirmation link to the new address, and a link that stops the change to the current one. Freezes payouts. An address of another account gets the same answer.',
  body: v.strictObject({ email, ...proofEntries }),
  reply: nothing,
  errors: ['EMAIL_DOMAIN_REFUSED', 'EMAIL_UNCHANGED', 'TOO_MANY_REQUESTS', ...PROOF_ERRORS],
})

export const pendingEmail = memberRead({
  name: 'pendingEmail',
  path: '/profile/email',
  summary: 'Returns the new address that awaits its confirmation, and until when.',
  reply: v.object({ pending: v.nullable(v.object({ email: v.string(), until: moment })) }),
})

export const confirmEmail = route({
  name: 'confirmEmail',
  method: 'POST',
  path: '/auth/email/confirm',
  access: 'link',
  limited: true,
  summary:
    'Changes the address of the account to the new one, with the token of the mailed link. All sessions end. In an account recovery, the address takes effect when the waiting period is over.',
  /** `takesEffectAt`: the end of an account recovery; null if the address is changed. */
  reply: v.object({ takesEffectAt: v.nullable(moment) }),
  errors: ['EMAIL_LINK_INVALID'],
})

export const stopEmailChange = route({
  name: 'stopEmailChange',
  method: 'POST',
  path: '/auth/email/stop',
  access: 'link',
  limited: true,
  summary:
    'Stops a change of address with the link mailed to the earlier one, within seven days also after the change. Stops payouts until a password reset, and ends all sessions.',
  reply: nothing,
  errors: ['EMAIL_LINK_INVALID'],
})
