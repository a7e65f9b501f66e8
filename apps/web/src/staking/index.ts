/** Staking: plans, stakes and the form that opens one. */
export { OpenStakeDialog, type OpenStakeDialogProps } from './open-stake.dialog.tsx'
