// Calls routes with Go's standard library, and reads the answers into the structs that quicktype makes of the document's
// schemas. Arguments: the address of the service, and the command that signs a payment: it gets the challenge, and says the header.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"time"
)

type answer struct {
	status int
	header http.Header
	body   []byte
}

func get(path, payment string) (answer, error) {
	request, err := http.NewRequest(http.MethodGet, os.Args[1]+path, nil)
	if err != nil {
		return answer{}, err
	}
	if payment != "" {
		request.Header.Set("PAYMENT-SIGNATURE", payment)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

// The signature is another program's, because the standard library has neither keccak nor secp256k1.
func buy(path string) (answer, error) {
	refused, err := get(path, "")
	if err != nil {
		return answer{}, err
	}
	command := append(append([]string{}, os.Args[2:]...), refused.header.Get("PAYMENT-REQUIRED"))
	payment, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil {
		return answer{}, err
	}
	bought, err := get(path, strings.TrimSpace(string(payment)))
	if err == nil && bought.header.Get("PAYMENT-RESPONSE") == "" {
		err = fmt.Errorf("no receipt: %d %s", bought.status, bought.body)
	}
	return bought, err
}

// same is true where two documents say the same: null is as good as absent, and a time may be written in two ways.
func same(one, other any) bool {
	switch value := one.(type) {
	case map[string]any:
		fields, isMap := other.(map[string]any)
		if !isMap {
			return false
		}
		for name, field := range value {
			if !same(field, fields[name]) {
				return false
			}
		}
		for name, field := range fields {
			if _, isThere := value[name]; !isThere && field != nil {
				return false
			}
		}
		return true
	case []any:
		list, isList := other.([]any)
		if !isList || len(list) != len(value) {
			return false
		}
		for at, item := range value {
			if !same(item, list[at]) {
				return false
			}
		}
		return true
	case string:
		text, isText := other.(string)
		at, fault := time.Parse(time.RFC3339, value)
		then, otherFault := time.Parse(time.RFC3339, text)
		return isText && (value == text || fault == nil && otherFault == nil && at.Equal(then))
	}
	return reflect.DeepEqual(one, other)
}

// faultOf says why an answer is not what the struct T holds of it, to the last field.
func faultOf[T any](came answer, err error, status int, holds func(T) bool) error {
	if err != nil {
		return err
	}
	if came.status != status {
		return fmt.Errorf("answered %d", came.status)
	}
	var read T
	decoder := json.NewDecoder(bytes.NewReader(came.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return err
	}
	written, err := json.Marshal(read)
	if err != nil {
		return err
	}
	var raw, again any
	if json.Unmarshal(came.body, &raw) != nil || json.Unmarshal(written, &again) != nil || !same(raw, again) {
		return fmt.Errorf("%.200s came, and is written as %.200s", came.body, written)
	}
	if !holds(read) {
		return fmt.Errorf("not what was asked: %.200s", came.body)
	}
	return nil
}

// The reader of cases wants the name first.
type said struct {
	Name  string `json:"name"`
	Fault string `json:"fault,omitempty"`
}

func say(name string, fault error) {
	line := said{Name: name}
	if fault != nil {
		line.Fault = fault.Error()
	}
	written, _ := json.Marshal(line)
	fmt.Println(string(written))
}

func main() {
	free, err := get("/v1/assets", "")
	say("free route", faultOf(free, err, 200, func(read AssetsAnswer) bool { return len(read.Assets) > 0 }))

	const current = "/v1/funding/current?symbol=BTC"
	refused, err := get(current, "")
	say("challenge", faultOf(refused, err, 402, func(read Challenge) bool { return len(read.Accepts) > 0 }))

	rates, err := buy(current)
	say("paid route", faultOf(rates, err, 200, func(read FundingCurrentAnswer) bool {
		return len(read.Rates) > 0 && read.Rates[0].Rate8H != nil && read.Rates[0].CanonicalID == "crypto:BTC"
	}))

	snapshot, err := buy("/v1/perp/snapshot?ticker=BTC")
	say("paid route with lists", faultOf(snapshot, err, 200, func(read PerpSnapshotAnswer) bool {
		return read.CanonicalID == "crypto:BTC" && len(read.Venues) > 0
	}))
}
