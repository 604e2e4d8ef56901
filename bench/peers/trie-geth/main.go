// The work of bench/trie.ts done by go-ethereum's trie package: the same accounts, the same blocks, the same roots.
//
// State tries over the hash scheme on Pebble, every block committed to disk with a synced write batch, as an archive node
// does. Arguments: DIR ACCOUNTS CONTRACTS SLOTS BLOCKS CHANGED_ACCOUNTS CHANGED_CONTRACTS CHANGED_SLOTS. Prints JSON.
package main

import (
	"encoding/binary"
	"encoding/json"
	"math/big"
	"os"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/trie/trienode"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/ethereum/go-ethereum/triedb/hashdb"
	"github.com/holiman/uint256"
)

const (
	pebbleCacheMB = 256
	cleanCacheMB  = 256
)

var ether = uint256.NewInt(1e18)

type random uint32

func (r *random) below(limit int) int {
	x := uint32(*r)
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	*r = random(x)
	return int(x % uint32(limit))
}

// distinct picks count different numbers from [from, to) in the order drawn.
func (r *random) distinct(count, from, to int) []int {
	seen := make(map[int]bool, count)
	picked := make([]int, 0, count)
	for len(picked) < count {
		n := from + r.below(to-from)
		if !seen[n] {
			seen[n] = true
			picked = append(picked, n)
		}
	}
	return picked
}

func words(numbers ...int) []byte {
	out := make([]byte, 8*len(numbers))
	for i, n := range numbers {
		binary.BigEndian.PutUint64(out[8*i:], uint64(n))
	}
	return out
}

func addressOf(i int) common.Address {
	return common.BytesToAddress(crypto.Keccak256(words(i))[12:])
}

func slotOf(j int) []byte {
	return common.BigToHash(big.NewInt(int64(j))).Bytes()
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// chain is a state that moves from root to root, each on disk before the next begins.
type chain struct {
	db       *triedb.Database
	root     common.Hash
	number   uint64
	accounts *trie.StateTrie
	nodes    *trienode.MergedNodeSet
}

func (c *chain) begin() {
	c.accounts = must(trie.NewStateTrie(trie.StateTrieID(c.root), c.db))
	c.nodes = trienode.NewMergedNodeSet()
}

func (c *chain) openStorage(address common.Address, root common.Hash) *trie.StateTrie {
	return must(trie.NewStateTrie(trie.StorageTrieID(c.root, crypto.Keccak256Hash(address[:]), root), c.db))
}

func (c *chain) closeStorage(storage *trie.StateTrie) common.Hash {
	root, set, err := storage.Commit(false)
	check(err)
	if set != nil {
		check(c.nodes.Merge(set))
	}
	return root
}

func (c *chain) commit() {
	root, set, err := c.accounts.Commit(true)
	check(err)
	if set != nil {
		check(c.nodes.Merge(set))
	}
	check(c.db.Update(root, c.root, c.number, c.nodes, nil))
	check(c.db.Commit(root, false))
	c.root = root
	c.number++
}

func main() {
	numbers := make([]int, 7)
	for i := range numbers {
		numbers[i] = must(strconv.Atoi(os.Args[i+2]))
	}
	accounts, contracts, slots, blocks := numbers[0], numbers[1], numbers[2], numbers[3]
	changedAccounts, changedContracts, changedSlots := numbers[4], numbers[5], numbers[6]

	disk := must(rawdb.NewPebbleDBDatabase(os.Args[1], pebbleCacheMB, 256, "", false, false))
	c := &chain{
		db:   triedb.NewDatabase(disk, &triedb.Config{HashDB: &hashdb.Config{CleanCacheSize: cleanCacheMB << 20}}),
		root: types.EmptyRootHash,
	}

	started := time.Now()
	const chunk = 50_000
	for from := 0; from < accounts; from += chunk {
		c.begin()
		for i := from; i < min(from+chunk, accounts); i++ {
			address := addressOf(i)
			account := &types.StateAccount{
				Nonce:    1,
				Balance:  new(uint256.Int).AddUint64(ether, uint64(i)),
				Root:     types.EmptyRootHash,
				CodeHash: types.EmptyCodeHash.Bytes(),
			}
			if i < contracts {
				storage := c.openStorage(address, types.EmptyRootHash)
				for j := 0; j < slots; j++ {
					check(storage.UpdateStorage(address, slotOf(j), common.TrimLeftZeroes(words(i*slots+j+1))))
				}
				account.Root = c.closeStorage(storage)
				account.CodeHash = crypto.Keccak256(words(i))
			}
			check(c.accounts.UpdateAccount(address, account))
		}
		c.commit()
	}
	loadSeconds := time.Since(started).Seconds()
	loadedRoot := c.root

	r := random(0x9e3779b9)
	millis := make([]float64, 0, blocks)
	for b := 1; b <= blocks; b++ {
		chosenContracts := r.distinct(changedContracts, 0, contracts)
		type slotChange struct {
			slot, value []byte
		}
		slotChanges := make([][]slotChange, len(chosenContracts))
		for k, i := range chosenContracts {
			for _, j := range r.distinct(changedSlots/changedContracts, 0, slots+slots/10) {
				change := slotChange{slot: slotOf(j)}
				if r.below(20) != 0 {
					change.value = crypto.Keccak256(words(b, i, j))
				}
				slotChanges[k] = append(slotChanges[k], change)
			}
		}
		chosenAccounts := r.distinct(changedAccounts-changedContracts, contracts, accounts+accounts/100)
		balances := make([]uint64, len(chosenAccounts))
		for k := range balances {
			balances[k] = uint64(r.below(1 << 30))
		}
		addresses := make([]common.Address, 0, changedAccounts)
		for _, i := range append(chosenContracts, chosenAccounts...) {
			addresses = append(addresses, addressOf(i))
		}

		blockStarted := time.Now()
		c.begin()
		for k, changes := range slotChanges {
			account := must(c.accounts.GetAccount(addresses[k]))
			storage := c.openStorage(addresses[k], account.Root)
			for _, change := range changes {
				if change.value == nil {
					check(storage.DeleteStorage(addresses[k], change.slot))
				} else {
					check(storage.UpdateStorage(addresses[k], change.slot, common.TrimLeftZeroes(change.value)))
				}
			}
			account.Root = c.closeStorage(storage)
			account.Nonce = uint64(b + 1)
			check(c.accounts.UpdateAccount(addresses[k], account))
		}
		for k, balance := range balances {
			address := addresses[len(slotChanges)+k]
			account := must(c.accounts.GetAccount(address))
			if account == nil {
				account = types.NewEmptyStateAccount()
			}
			account.Nonce = uint64(b + 1)
			account.Balance = new(uint256.Int).AddUint64(ether, balance)
			check(c.accounts.UpdateAccount(address, account))
		}
		c.commit()
		millis = append(millis, float64(time.Since(blockStarted).Microseconds())/1000)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"loadSeconds": loadSeconds,
		"loadedRoot":  loadedRoot.Hex(),
		"root":        c.root.Hex(),
		"millis":      millis,
	}))
	check(c.db.Close())
	check(disk.Close())
}
