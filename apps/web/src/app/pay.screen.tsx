import CircleCheck from 'lucide-react/icons/circle-check'
import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class.ts'

/** `/pay/success` and `/pay/cancel` alike (UI-PAY-01, UI-PAY-02, RT-52 to RT-54). */
export default function PayScreen() {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center pt-10 text-center sm:pt-20">
      <span className="grid size-16 place-items-center rounded-full bg-success-soft text-success">
        <CircleCheck size={30} aria-hidden="true" />
      </span>
      <h1 className="mt-6 text-2xl font-strong tracking-num">Payment Success</h1>
      <Link href="/" className={buttonClass('primary', 'lg', 'mt-8 min-w-40')}>
        HOME
      </Link>
    </div>
  )
}
