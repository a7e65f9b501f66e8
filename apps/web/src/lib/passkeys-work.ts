/** Whether this browser can make and show passkeys. */
export const passkeysWork = typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
