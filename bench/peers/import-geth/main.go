// Makes the chain that bench/import.ts has imported: full blocks of token transfers, swaps and storage-heavy calls.
//
// Arguments: CONTRACTS FOLDER BLOCKS GAS. Reads compiled contracts, writes FOLDER/genesis.json and FOLDER/chain.rlp (blocks
// one after the other, as `geth export` writes them), and prints what it made as JSON. The same arguments make the same chain.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/beacon"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/triedb"
)

const (
	userCount      = 1000
	tokenCount     = 4
	ledgerCount    = 4
	ledgerEntries  = 10
	blocksPerBatch = 20
	transferGas    = 100_000
	swapGas        = 300_000
	ledgerGas      = 1_600_000
)

// Each market trades two tokens, which are named by their number.
var markets = [][2]int{{0, 1}, {2, 3}, {0, 2}}

var (
	rich      = common.BigToHash(new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil))
	unlimited = common.BytesToHash(common.FromHex("0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"))
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func contractAddress(kind byte, index int) common.Address {
	return common.BytesToAddress([]byte{kind, byte(index)})
}

func tokenAddress(i int) common.Address  { return contractAddress(0xa0, i) }
func marketAddress(i int) common.Address { return contractAddress(0xb0, i) }
func ledgerAddress(i int) common.Address { return contractAddress(0xc0, i) }

func mappingSlot(key common.Address, slot common.Hash) common.Hash {
	return crypto.Keccak256Hash(common.LeftPadBytes(key[:], 32), slot[:])
}

func userKey(i int) *ecdsa.PrivateKey {
	return must(crypto.ToECDSA(crypto.Keccak256([]byte(fmt.Sprintf("user %d", i)))))
}

func makeGenesis(contracts map[string]hexutil.Bytes, users []common.Address, gas uint64) *core.Genesis {
	alloc := types.GenesisAlloc{}
	for _, user := range users {
		alloc[user] = types.Account{Balance: rich.Big()}
	}
	balanceSlot := common.BigToHash(big.NewInt(0))
	allowanceSlot := common.BigToHash(big.NewInt(1))
	for i := 0; i < tokenCount; i++ {
		storage := map[common.Hash]common.Hash{}
		for _, user := range users {
			storage[mappingSlot(user, balanceSlot)] = rich
		}
		for m, tokens := range markets {
			if tokens[0] != i && tokens[1] != i {
				continue
			}
			storage[mappingSlot(marketAddress(m), balanceSlot)] = rich
			for _, user := range users {
				storage[mappingSlot(marketAddress(m), mappingSlot(user, allowanceSlot))] = unlimited
			}
		}
		alloc[tokenAddress(i)] = types.Account{Code: contracts["Token"], Storage: storage, Nonce: 1, Balance: new(big.Int)}
	}
	reserve := new(big.Int).Exp(big.NewInt(10), big.NewInt(27), nil)
	reserves := new(big.Int).Or(new(big.Int).Lsh(reserve, 112), reserve)
	for m, tokens := range markets {
		alloc[marketAddress(m)] = types.Account{
			Code: contracts["Market"], Nonce: 1, Balance: new(big.Int),
			Storage: map[common.Hash]common.Hash{
				common.BigToHash(big.NewInt(0)): common.BytesToHash(tokenAddress(tokens[0]).Bytes()),
				common.BigToHash(big.NewInt(1)): common.BytesToHash(tokenAddress(tokens[1]).Bytes()),
				common.BigToHash(big.NewInt(2)): common.BigToHash(reserves),
			},
		}
	}
	for i := 0; i < ledgerCount; i++ {
		alloc[ledgerAddress(i)] = types.Account{Code: contracts["Ledger"], Nonce: 1, Balance: new(big.Int)}
	}
	config := *params.MergedTestChainConfig
	config.ChainID = big.NewInt(1337)
	return &core.Genesis{
		Config: &config,
		// Twice the gas that is used: then the base fee stays where it is.
		GasLimit:   2 * gas,
		Difficulty: new(big.Int),
		Timestamp:  1_700_000_000,
		BaseFee:    big.NewInt(params.GWei),
		Alloc:      alloc,
	}
}

// maker draws transactions; equal seeds draw equal ones.
type maker struct {
	random   *rand.Rand
	contract map[string]hexutil.Bytes
	keys     []*ecdsa.PrivateKey
	users    []common.Address
	strange  uint64
	made     int
}

func input(signature string, words ...*big.Int) []byte {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, word := range words {
		data = append(data, common.BigToHash(word).Bytes()...)
	}
	return data
}

// recipient is a user, or now and then an address that never had anything.
func (m *maker) recipient() common.Address {
	if m.random.Intn(5) > 0 {
		return m.users[m.random.Intn(len(m.users))]
	}
	m.strange++
	return common.BytesToAddress(crypto.Keccak256(binary.BigEndian.AppendUint64(nil, m.strange))[12:])
}

// draw picks the next call. By gas about half are transfers, three tenths swaps, two tenths entries in a ledger.
func (m *maker) draw(gasLeft uint64) (to common.Address, gas uint64, data []byte) {
	amount := big.NewInt(1 + m.random.Int63n(1e18))
	choice := m.random.Intn(1600)
	switch {
	case choice < 20 && gasLeft > ledgerGas:
		data = input("record(uint256,uint256)", big.NewInt(ledgerEntries), amount)
		return ledgerAddress(m.random.Intn(ledgerCount)), ledgerGas, data
	case choice < 350 && gasLeft > swapGas:
		data = input("swap(uint256,bool)", amount, big.NewInt(int64(m.random.Intn(2))))
		return marketAddress(m.random.Intn(len(markets))), swapGas, data
	default:
		data = input("transfer(address,uint256)", new(big.Int).SetBytes(m.recipient().Bytes()), amount)
		return tokenAddress(m.random.Intn(tokenCount)), transferGas, data
	}
}

func (m *maker) fill(b *core.BlockGen, gas uint64) {
	b.SetPoS()
	b.SetCoinbase(common.BytesToAddress([]byte("beneficiary")))
	signer := b.Signer()
	limit := b.Gas()
	for {
		left := gas - (limit - b.Gas())
		if left < transferGas {
			return
		}
		from := m.random.Intn(len(m.users))
		to, gasLimit, data := m.draw(left)
		b.AddTx(types.MustSignNewTx(m.keys[from], signer, &types.DynamicFeeTx{
			ChainID:   signer.ChainID(),
			Nonce:     b.TxNonce(m.users[from]),
			GasTipCap: big.NewInt(params.GWei),
			GasFeeCap: big.NewInt(1000 * params.GWei),
			Gas:       gasLimit,
			To:        &to,
			Value:     new(big.Int),
			Data:      data,
		}))
		m.made++
	}
}

func main() {
	folder := os.Args[2]
	blocks := must(strconv.Atoi(os.Args[3]))
	gas := must(strconv.ParseUint(os.Args[4], 10, 64))
	m := &maker{random: rand.New(rand.NewSource(1))}
	check(json.Unmarshal(must(os.ReadFile(os.Args[1])), &m.contract))
	for i := 0; i < userCount; i++ {
		key := userKey(i)
		m.keys = append(m.keys, key)
		m.users = append(m.users, crypto.PubkeyToAddress(key.PublicKey))
	}
	genesis := makeGenesis(m.contract, m.users, gas)
	check(os.WriteFile(filepath.Join(folder, "genesis.json"), must(json.Marshal(genesis)), 0o644))

	stateFolder := filepath.Join(folder, "state")
	db := must(rawdb.NewPebbleDBDatabase(stateFolder, 256, 256, "", false, false))
	tries := triedb.NewDatabase(db, triedb.HashDefaults)
	parent := must(genesis.Commit(db, tries))
	check(tries.Close())
	engine := beacon.New(ethash.NewFaker())
	file := must(os.Create(filepath.Join(folder, "chain.rlp")))
	out := bufio.NewWriter(file)
	var gasUsed uint64
	for done := 0; done < blocks; done += blocksPerBatch {
		count := min(blocksPerBatch, blocks-done)
		made, _ := core.GenerateChain(genesis.Config, parent, engine, db, count, func(_ int, b *core.BlockGen) { m.fill(b, gas) })
		for _, block := range made {
			check(block.EncodeRLP(out))
			gasUsed += block.GasUsed()
		}
		parent = made[len(made)-1]
		fmt.Fprintf(os.Stderr, "\r%d of %d blocks made", done+count, blocks)
	}
	fmt.Fprintln(os.Stderr)
	check(out.Flush())
	check(file.Close())
	check(db.Close())
	check(os.RemoveAll(stateFolder))
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"blocks":       blocks,
		"transactions": m.made,
		"gas":          gasUsed,
		"head":         parent.Hash(),
	}))
}
