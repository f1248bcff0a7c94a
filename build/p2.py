exec(open('build/p1.py').read())
sub(I+'send.go',
('''	req := i.request(b, role, schema)
	req.Services, req.Shown = i.services(), i.shown(ctx, b, role)
	if role == provider.RoleSolver && req.Model == "" && i.native(ctx) {
		req.Native, req.Schema = true, nil
	} else if reader, ok := i.deps.Provider().(provider.FormReader); !ok || !reader.ReadsForm() {
		req.Schema = provider.Format(req)
	}
	s := i.newStream(ctx, b, role)
	defer s.close()
	key := i.cacheKey(b, req)
	if i.recall(ctx, key, req, s, read) {
		return nil
	}
	for try := 1; ; try++ {
		x, err := i.send(ctx, req, s)
''','''	at := i.serversFor(role, b.Background.Model)[0].Provider
	shown := i.shown(ctx, b, role, at)
	write := func(p provider.Provider) provider.Request { return i.writtenFor(ctx, p, b, role, schema, shown) }
	req := write(at)
	s := i.newStream(ctx, b, role)
	defer s.close()
	key := i.cacheKey(at, b, req)
	if i.recall(ctx, at, key, req, s, read) {
		return nil
	}
	for try := 1; ; try++ {
		x, err := i.send(ctx, at, req, write, s)
'''),
('			i.remember(ctx, key, x)','			i.remember(ctx, at, key, x)'),
('type askedKey struct{}','''// writtenFor is a request as the server wants it that is to answer it.
func (i *Interpreter) writtenFor(ctx context.Context, p provider.Provider, b Brief, role provider.Role, schema []byte, shown []string) provider.Request {
	req := i.requestFor(p, b, role, schema)
	req.Services, req.Shown = i.services(), shown
	if role == provider.RoleSolver && req.Model == "" && native(ctx, p) {
		req.Native, req.Schema = true, nil
	} else if reader, ok := p.(provider.FormReader); !ok || !reader.ReadsForm() {
		req.Schema = provider.Format(req)
	}
	return req
}

type askedKey struct{}'''),
('''// send is one request and its reply, in turn, under the deadlines and told to the world. s hears the reply as it arrives.
func (i *Interpreter) send(ctx context.Context, req provider.Request, s *stream) (Exchange, error) {
''','''// send is one request and its reply, in turn, under the deadlines and told to the world. s hears the reply as it arrives. The request is written
// for the server at; where another is to answer it, now or because one broke off, it is written for that one.
func (i *Interpreter) send(ctx context.Context, at provider.Provider, req provider.Request, write func(provider.Provider) provider.Request, s *stream) (Exchange, error) {
'''),
('''	stood := false
	leave, err := i.queue.enter(ctx, req, func(place int) {
		stood = true
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentQueued{Agent: string(req.Role), Label: inLine.In(req.Lang), Place: place}))
	})
	if stood && err == nil {
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentQueued{Agent: string(req.Role), Label: label}))
	}
	p := i.deps.Provider()
	if err == nil {
		x.Reply, err = i.fitted(ctx, p, &req, s)
		if standby := i.deps.Standby; standby != nil && standby.Name() != p.Name() && absent(err) && req.Role != provider.RoleLibrarian {
			i.failed(ctx, err)
			s.anew()
			p = standby
			x.Reply, err = i.fitted(ctx, p, &req, s)
		}
		leave()
	}
''','''	p, err := at, error(nil)
	for where, broke := i.place(ctx, req), error(nil); ; {
		var leave func()
		next := p
		if next, leave, err = i.stand(ctx, where, req, label); err != nil {
			break
		}
		if broke != nil {
			s.anew()
			i.moved(req, p.Name(), next.Name(), broke)
		}
		if p = next; p != at {
			id, repair := req.ID, req.State.Repair
			req, at = write(p), p
			req.ID, req.State.Repair = id, repair
		}
		x.Reply, err = i.fitted(ctx, p, &req, s)
		leave()
		where.tried = append(where.tried, p.Name())
		if ctx.Err() != nil || !elsewhere(err) || len(where.left()) == 0 {
			break
		}
		broke = err
		i.failed(ctx, p, err)
		i.keepBroken(x, req, p, err)
		req.ID, x.At = i.deps.NewID(), time.Now()
	}
	if standby := i.deps.Standby; ctx.Err() == nil && standby != nil && standby.Name() != p.Name() && absent(err) && req.Role != provider.RoleLibrarian {
		i.failed(ctx, p, err)
		s.anew()
		p = standby
		x.Reply, err = i.fitted(ctx, p, &req, s)
	}
'''),
('''		i.failed(ctx, err)
	}
	i.tell(req, done)
''','''		i.failed(ctx, p, err)
	}
	i.tell(req, done)
'''),
('''// absent tells whether the provider''','''// stand waits for the turn of a request, and gives the server that is to answer it and what ends its turn.
func (i *Interpreter) stand(ctx context.Context, where *placing, req provider.Request, label string) (p provider.Provider, leave func(), err error) {
	stood := false
	where.lanes() // reckoned before anybody waits for it
	w := &waiter{rank: rankOf(req), job: req.Job, lanes: where.lanes, moved: func(place int) {
		stood = true
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentQueued{Agent: string(req.Role), Label: inLine.In(req.Lang), Place: place}))
	}}
	if leave, err = i.queue.wait(ctx, w); err != nil {
		return nil, nil, err
	}
	if stood {
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentQueued{Agent: string(req.Role), Label: label}))
	}
	return i.named(req.Role, w.at.name), leave, nil
}

// keepBroken keeps a request that a server did not answer to the end, before another one is asked.
func (i *Interpreter) keepBroken(x Exchange, req provider.Request, p provider.Provider, err error) {
	x.Request, x.Prompt, x.Provider, x.Attempt = req, i.adapter.NormalizePrompt(req), p.Name(), 1
	x.Reply.Elapsed = time.Since(x.At)
	x.failed(err)
	i.keep(x)
}

// absent tells whether the provider'''),
('''func (i *Interpreter) failed(ctx context.Context, err error) {
	if i.deps.Failed != nil && ctx.Err() == nil {
		i.deps.Failed(err)
	}
}''','''func (i *Interpreter) failed(ctx context.Context, p provider.Provider, err error) {
	if i.deps.Failed != nil && ctx.Err() == nil {
		i.deps.Failed(p.Name(), err)
	}
}'''))

sub(I+'shelf.go',
('func (i *Interpreter) stock(b Brief, role provider.Role) (','func (i *Interpreter) stock(p provider.Provider, b Brief, role provider.Role) ('),
('	w, model := i.window(i.deps.Provider(), role, "")\n','	w, model := i.window(p, role, "")\n'),
("""func (i *Interpreter) request(b Brief, role provider.Role, schema []byte) provider.Request {
	tools, more := i.stock(b, role)
""","""func (i *Interpreter) request(b Brief, role provider.Role, schema []byte) provider.Request {
	return i.requestFor(i.deps.Provider(), b, role, schema)
}

// requestFor is request for a certain provider.
func (i *Interpreter) requestFor(p provider.Provider, b Brief, role provider.Role, schema []byte) provider.Request {
	tools, more := i.stock(p, b, role)
"""),
('func (i *Interpreter) shown(ctx context.Context, b Brief, role provider.Role) (','func (i *Interpreter) shown(ctx context.Context, b Brief, role provider.Role, p provider.Provider) ('),
('	_, byCode := i.deps.Provider().(provider.Phrasebook)','	_, byCode := p.(provider.Phrasebook)'))
sub(I+'solve.go',("""// native tells whether the provider on duty takes tool calls in its service's own way.
func (i *Interpreter) native(ctx context.Context) bool {
	caller, ok := i.deps.Provider().(provider.NativeCaller)""","""// native tells whether a provider takes tool calls in its service's own way.
func native(ctx context.Context, p provider.Provider) bool {
	caller, ok := p.(provider.NativeCaller)"""))
sub(I+'cache.go',('func (i *Interpreter) cacheKey(b Brief,','func (i *Interpreter) cacheKey(p provider.Provider, b Brief,'),('	p := i.deps.Provider()\n	w, _ :=','	w, _ :='),
('func (i *Interpreter) recall(ctx context.Context, key','func (i *Interpreter) recall(ctx context.Context, p provider.Provider, key'),('Provider: i.deps.Provider().Name(), Reply','Provider: p.Name(), Reply'),
('func (i *Interpreter) remember(ctx context.Context, key','func (i *Interpreter) remember(ctx context.Context, p provider.Provider, key'),('	p := i.deps.Provider()\n','') )
sub(I+'pace.go',('	i.paces.settle(key,','	i.lengths.learn(req.Role, reply.TokensOut)\n	i.paces.settle(key,'))
# aside and replay: where their turn came
sub(I+'aside.go',("""	leave, err := i.queue.wait(ctx, &waiter{rank: rankBackground})
""","""	w := &waiter{rank: rankBackground}
	leave, err := i.queue.wait(ctx, w)
"""),('	return do(ctx, i.deps.Provider())','	return do(ctx, i.named("", w.at.name))'),("// gets the provider on duty.","// gets the server whose turn it is."))
sub(I+'replay.go',("""	leave, err := i.queue.wait(ctx, &waiter{rank: rankBackground})
	p := i.deps.Provider()
""","""	w := &waiter{rank: rankBackground, lanes: i.place(ctx, req).lanes}
	leave, err := i.queue.wait(ctx, w)
	p := i.named(req.Role, w.at.name)
"""))
