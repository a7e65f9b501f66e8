import type { ReplyOf } from '@tizara/contract'
import type { trustPage } from '@tizara/contract/trust'
import type { Asset } from '@tizara/contract/wallets'
import { Moment } from '../lib/moment.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'

type Stated = NonNullable<ReplyOf<typeof trustPage>['onChain']>

/** Shows the platform's on-chain reserves and how to verify them independently. */
export function ReservesCard({ stated, unitOf }: { stated: Stated; unitOf: (asset: Asset) => string }) {
  return (
    <Card aria-labelledby="on-chain" className="lg:col-span-2">
      <CardHeader
        id="on-chain"
        title="What is on the chain"
        hint={
          <>
            Held on <Moment at={stated.at} time /> on chain {stated.chainId}, for payouts and in keeping. What lies at the addresses of
            invoices comes on top and is not named: it would tell who paid what.
          </>
        }
      />
      <DescriptionList
        rows={stated.holdings.map(({ address, asset, amount }) => ({
          key: `${address} ${asset}`,
          label: <span className="font-mono text-xs break-all">{address}</span>,
          value: <Money value={amount} unit={unitOf(asset)} />,
        }))}
      />
      <details className="mt-3 text-sm">
        <summary className="text-muted">Check it yourself</summary>
        <p className="mt-2 text-muted">
          Look up these addresses at any explorer of the chain. That they are of this house says the signature: any wallet program that
          verifies signed messages (EIP-191) answers whose key signed this text.
        </p>
        <pre className="my-3 rounded-lg bg-raised p-3 font-mono text-xs break-all whitespace-pre-wrap">{stated.text}</pre>
        <CopyButton text={stated.text} label="Copy the text" />
        <div className="mt-3 space-y-3">
          <CopyField label="Signature" value={stated.signature} />
          <CopyField label="Address of the key" value={stated.signer} />
        </div>
      </details>
    </Card>
  )
}
