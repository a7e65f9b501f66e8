/** True if this browser supports passkeys. */
export const passkeysWork = typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
