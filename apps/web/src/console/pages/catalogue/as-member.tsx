import { staffCatalogue } from '@tizara/contract/staff-changes'
import type { Nft } from '@tizara/contract/nfts'
import { parseUnits } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { NftCard, supplyOfKind } from '../../../nfts/index.ts'
import { useAppConfig } from '../../../settings/index.ts'
import { Lines } from '../../kit/lines.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import type { Offer } from './offers.ts'

const KINDS = ['dome', 'wagon', 'hotelAndResort', 'land'] as const

/** Previews an NFT or announcement as members see it, from the form's values. */
export default function AsMember({ offer, typed }: { offer: Offer; typed: Readonly<Record<string, string>> }) {
  return (
    <section aria-label="As members see it">
      <h3 className="text-sm font-semi">As members see it</h3>
      {offer.subject === 'nft' ? <NftOf typed={typed} /> : <Announced title={typed['title'] ?? ''} message={typed['message'] ?? ''} />}
    </section>
  )
}

function NftOf({ typed }: { typed: Readonly<Record<string, string>> }) {
  const { tokenSymbol } = useAppConfig()
  const { data } = useQuery(watch(staffCatalogue, {}))
  const kind = KINDS.find((one) => one === typed['walletName']) ?? 'dome'
  const nft: Nft = {
    id: 'preview',
    name: plain(typed['name'] ?? ''),
    title: plain(typed['title'] ?? ''),
    walletName: kind,
    price: unitsOf(typed['price']),
    duration: Number(typed['duration']),
    dailyRoi: unitsOf(typed['dailyRoi']),
    status: typed['status'] ?? '',
    quantity: 0,
  }
  return (
    <div role="img" aria-label={`The card of ${nft.name} in the shop`} className="mt-2">
      {/* The preview button sells nothing. */}
      <div inert>
        <NftCard
          nft={nft}
          sellPrice={data?.coinPrice}
          supply={supplyOfKind(kind, 0, data?.nfts ?? [])}
          unit={tokenSymbol}
          onBuy={() => undefined}
        />
      </div>
    </div>
  )
}

const unitsOf = (text = ''): bigint => parseUnits(text.trim()) ?? 0n

/** Previews the announcement above a member page. */
function Announced({ title, message }: { title: string; message: string }) {
  return (
    <div className="mt-2 rounded-[12px] border p-4 text-center wrap-anywhere">
      <b className="font-semi">{plain(title)}</b>
      <Lines text={message} />
    </div>
  )
}
