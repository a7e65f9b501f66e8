import SecondFactorDialog from '../../members/security/second-factor.dialog.tsx'
import { useProfile } from '../../members/index.ts'

/** Switches the authenticator app of the signed-in person on or off. */
export default function SecondFactor({ onClose }: { onClose: () => void }) {
  const { data } = useProfile()
  return data === undefined ? null : <SecondFactorDialog on={data.secondFactor === true} onClose={onClose} />
}
