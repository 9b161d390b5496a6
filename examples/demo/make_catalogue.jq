# Makes catalogue.json: the stock of a tea house that never was, one tea a
# line.  Times are in seconds since 1970, but one of them is in nanoseconds.
#
#     jq -n -c -f make_catalogue.jq > catalogue.json

def pick($list; $n): $list[$n % ($list | length)];

["Amber", "Autumn", "Cloud", "Copper", "Éclair", "Frost", "Garden", "Harbour",
 "Ivory", "Jade", "Lantern", "Märchen", "Morning", "North", "Orchard", "Quiet"] as $first
| ["Blossom", "Breakfast", "Café", "Dawn", "Evening", "Fennel", "Leaf", "Mint",
   "Needle", "Pearl", "River", "Smoke", "Thé", "Würze"] as $second
| ["green", "black", "white", "herbal", "oolong"] as $kinds
| ["Bremen", "Lisboa", "Kyōto", "Aarhus", "Łódź"] as $cities
| ["bright and grassy", "smoke, then honey", "a long, dry finish",
   "good with lemon [not with milk]", "for {very} cold mornings"] as $notes
| range(330) as $n
| {
    id: (1000 + 7 * $n),
    name: "\(pick($first; $n * 5)) \(pick($second; $n * 3)) No. \($n + 1)",
    kind: pick($kinds; $n * 3),
    notes: pick($notes; $n * 2),
    organic: ($n % 3 == 0),
    packs: [
      range(1 + $n % 3)
      | {grams: (50 + 25 * .), price: ((320 + ($n + .) % 9 * 45) / 100)}
    ],
    store: {
      city: pick($cities; $n),
      shelf: "S\($n % 16 + 1)",
      arrived: (1600000000 + 86400 * ($n * 37 % 400))
    }
  }
| if .id == 2435 then .store.arrived *= 1000000000 else . end
