package store

import (
	"context"
	"encoding/binary"
	"math"

	"agentchat/backend/library"
	"agentchat/backend/library/vectors"
)

// Unembedded implements library.Store. Cross joins are done in the order they are written in: by id, without sorting all.
func (s *Store) Unembedded(ctx context.Context, embedder string, after int64, limit int) ([]library.Unembedded, error) {
	return collect(ctx, s.read, func(row row) (u library.Unembedded, err error) {
		p := &u.Passage
		err = row.Scan(&p.ID, &p.Document, &p.Article, &p.Page, &p.Start, &p.Text, &u.Title, &u.Article)
		return u, err
	}, `SELECT p.id, p.document, p.article, p.page, p.start, p.text, d.title, coalesce(a.title, '')
		FROM passages p CROSS JOIN documents d ON d.id=p.document AND d.state='ready' LEFT JOIN articles a ON a.document=p.document AND a.n=p.article
		WHERE p.id>?1 AND NOT EXISTS (SELECT 1 FROM vectors v JOIN embedders e ON e.id=v.embedder WHERE v.passage=p.id AND e.name=?2)
		ORDER BY p.id LIMIT ?3`, after, embedder, limit)
}

// SaveVectors implements library.Store.
func (s *Store) SaveVectors(ctx context.Context, embedder string, list []vectors.Vector) error {
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`INSERT INTO embedders (name) VALUES (?) ON CONFLICT DO NOTHING`, embedder); err != nil {
			return err
		}
		for _, v := range list { // a passage that went meanwhile takes none
			if _, err := w.exec(`INSERT INTO vectors (passage, embedder, vector)
				SELECT p.id, e.id, ?3 FROM passages p, embedders e WHERE p.id=?1 AND e.name=?2
				ON CONFLICT (passage) DO UPDATE SET embedder=excluded.embedder, vector=excluded.vector`, v.ID, embedder, packed(v.Numbers)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetVectors implements library.Store.
func (s *Store) ForgetVectors(ctx context.Context, embedder string) error {
	return s.exec(ctx, false, `DELETE FROM vectors WHERE embedder=(SELECT id FROM embedders WHERE name=?)`, embedder)
}

// Vectors implements library.Store.
func (s *Store) Vectors(ctx context.Context, embedder string, after int64, limit int) ([]vectors.Vector, error) {
	return collect(ctx, s.read, scanVector, `SELECT v.passage, p.document, v.vector FROM vectors v CROSS JOIN passages p ON p.id=v.passage
		CROSS JOIN documents d ON d.id=p.document AND d.state='ready'
		WHERE v.passage>?1 AND v.embedder=(SELECT id FROM embedders WHERE name=?2) ORDER BY v.passage LIMIT ?3`, after, embedder, limit)
}

// VectorsOf implements library.Store.
func (s *Store) VectorsOf(ctx context.Context, embedder string, ids []int64) ([]vectors.Vector, error) {
	// The plus keeps the engine from looking through all vectors of the model.
	return collect(ctx, s.read, scanVector, `SELECT v.passage, '', v.vector FROM vectors v WHERE v.passage IN (SELECT value FROM json_each(?1))
		AND +v.embedder=(SELECT id FROM embedders WHERE name=?2)`, jsonOf(ids), embedder)
}

// Embedded implements library.Store.
func (s *Store) Embedded(ctx context.Context, embedder string) (p library.Progress, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT
		(SELECT coalesce(sum(passages), 0) FROM documents WHERE state='ready'),
		count(*), coalesce(sum(v.vector=x''), 0)
		FROM vectors v JOIN passages p ON p.id=v.passage JOIN documents d ON d.id=p.document AND d.state='ready'
		WHERE v.embedder=(SELECT id FROM embedders WHERE name=?)`, embedder).Scan(&p.Total, &p.Done, &p.Refused)
	return p, storageError(err)
}

func scanVector(row row) (v vectors.Vector, err error) {
	var raw []byte
	err = row.Scan(&v.ID, &v.Document, &raw)
	v.Numbers = make([]float32, len(raw)/4)
	for i := range v.Numbers {
		v.Numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return v, err
}

func packed(numbers []float32) []byte {
	raw := make([]byte, 0, 4*len(numbers))
	for _, x := range numbers {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return raw
}
